// What @sluice/resources gives to other packages.
export { readCborBody } from './cbor/body.ts';
export { cborBodyForm, cborForm } from './cbor/form.ts';
export { containerResourceErrors } from './container-resources.ts';
export type { ContinueToken } from './continue-token.ts';
export { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
export { convert } from './converters.ts';
export { customKinds } from './custom-resources/custom-kinds.ts';
export type { Definition, DefinitionVersion, Names } from './custom-resources/definition.ts';
export { defaultDefinition, readDefinition } from './custom-resources/definition.ts';
export {
  isEstablished,
  withAcceptedNames,
  withFirstStatus,
  withKeptStatus,
  withTerminating,
} from './custom-resources/status.ts';
export { definitionErrors, definitionUpdateErrors } from './custom-resources/validation.ts';
export { setDefaults } from './defaults/defaults.ts';
export { setPodRequests } from './defaults/pod-requests.ts';
export type { Resource } from './errors.ts';
export * from './errors.ts';
export { checkFieldLabels, fieldReader } from './field-labels.ts';
export { goQuote, isPrintable } from './go-quote.ts';
export type {
  ApiObject,
  Codec,
  Decoded,
  FoundKind,
  Halves,
  Kind,
  PrinterColumn,
  ScalePaths,
  Subresource,
  Verb,
} from './kind.ts';
export { DecodeError } from './kind.ts';
export type { Kinds } from './kinds.ts';
export { compareVersions, openKinds } from './kinds.ts';
export type { ListField, ListRule, ListType, ListViolation } from './list-types.ts';
export {
  isKnownViolation,
  KNOWN_EXCEPTION,
  listTypes,
  listViolations,
  violationLine,
} from './list-types.ts';
export { labelErrors, metadataErrors, metadataUpdateErrors } from './metadata.ts';
export { nameProblems } from './name-rules.ts';
export {
  configKeyProblems,
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
  pathSegmentProblems,
} from './names.ts';
export { AGE_MARK, humanDuration } from './printers/age.ts';
export type { MetaVersion } from './printers/partial-object.ts';
export { partialObject, writePartialObject } from './printers/partial-object.ts';
export type { Include, TableMetadata, TablePrinter } from './printers/table.ts';
export { emptyTable, scaleTable, TABLE_TAIL, tableHead, tableOf } from './printers/table.ts';
export type { ProtobufCodec } from './protobuf/codec.ts';
export {
  decodeDeleteOptions,
  encodeStatusProtobuf,
  partialMessage,
  protobufCodec,
} from './protobuf/codec.ts';
export { encodeDiscoveryProtobuf } from './protobuf/discovery.ts';
export { canonicalBase64 } from './schema/base64.ts';
export { builtInCodec } from './schema/built-in.ts';
export { customCodec } from './schema/custom.ts';
export { describeDecodeError, strictDecodeError } from './schema/decode-error.ts';
export { canonicalDuration } from './schema/duration.ts';
export type { Field, FieldType } from './schema/field-table.ts';
export { fieldsOf } from './schema/field-table.ts';
export { structPrinter } from './schema/printer.ts';
export type { Quantity } from './schema/quantity.ts';
export { canonicalQuantity, parseQuantity } from './schema/quantity.ts';
export { typeOfKind } from './schema/scheme.ts';
export type { Shape } from './schema/shape.ts';
export { NO_SHAPE } from './schema/shape.ts';
export { canonicalMicroTime, canonicalTime } from './schema/time.ts';
export type { TypeMeta } from './schema/type-meta.ts';
export { respell } from './schema/untyped.ts';
export type { FieldSelector, FieldTerm } from './selectors/field.ts';
export { fieldSelector, fieldSelectorSteps, parseFieldSelector } from './selectors/field.ts';
export type { LabelOperator, LabelRequirement, LabelSelector } from './selectors/label.ts';
export { labelSelectorSteps, parseLabelSelector, SelectorError } from './selectors/label.ts';
export type { Steps } from './selectors/steps.ts';
export type { Status, StatusCause, StatusDetails } from './status.ts';
export { ApiError, encodeStatus, encodeStatusPretty, statusValue } from './status.ts';
export type { FieldError } from './validation.ts';
export {
  duplicateValue,
  forbiddenValue,
  invalid,
  invalidValue,
  notFoundValue,
  requiredValue,
  summary,
  tooLong,
  tooMany,
  typeInvalid,
  unsupportedValue,
} from './validation.ts';
