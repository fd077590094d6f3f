// What @sluice/resources gives to other packages.
export type { ContinueToken } from './continue-token.ts';
export { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
export type { Resource } from './errors.ts';
export * from './errors.ts';
export { checkFieldLabels, fieldReader } from './field-labels.ts';
export { goQuote, isPrintable } from './go-quote.ts';
export type { ApiObject, Codec, Decoded, Halves, Kind, ScalePaths, Subresource, Verb } from './kind.ts';
export { DecodeError } from './kind.ts';
export type { Kinds } from './kinds.ts';
export { compareVersions, openKinds } from './kinds.ts';
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
export type { FieldSelector, FieldTerm } from './selectors/field.ts';
export { fieldSelector, parseFieldSelector } from './selectors/field.ts';
export type { LabelOperator, LabelRequirement, LabelSelector } from './selectors/label.ts';
export { holds, parseLabelSelector, SelectorError } from './selectors/label.ts';
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
