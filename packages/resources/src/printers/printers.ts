// Which kind is printed how: one row of data for each kind that has a printer.
import { decodeText, JsonReader, printJson, readTree } from '@sluice/encoding';
import { autoscalerFromV1 } from '../autoscalers.ts';
import type { Codec, Kind } from '../kind.ts';
import { builtInCodec } from '../schema/built-in.ts';
import { members } from '../tree.ts';
import { podCertificateRow, roleBindingRow, signingRequestRow, trustBundleRow } from './access.ts';
import { autoscalerRow } from './autoscaling.ts';
import { builtInColumns, type Column } from './columns.ts';
import * as core from './core.ts';
import { customTable } from './custom-columns.ts';
import { definitionRow } from './definitions.ts';
import * as devices from './devices.ts';
import { coreEventRow, newEventRow } from './events.ts';
import { cronJobRow, jobRow } from './jobs.ts';
import * as networking from './networking.ts';
import { podRow, podTemplateRow } from './pods.ts';
import * as policy from './policy.ts';
import type { RowPrinter } from './row-printer.ts';
import { CUSTOM_SCALE_COLUMNS, SCALE_COLUMNS, scaleRow } from './scale.ts';
import * as storage from './storage.ts';
import * as workloads from './workloads.ts';

export type Printer = {
  columns: readonly Column[];
  row: RowPrinter;
  /** What `rows` of a table without rows is: the reference's printers differ. */
  emptyRows: 'null' | '[]';
};

export function printerOf(kind: Kind): Printer {
  if (kind.custom) return { ...customTable(kind.printerColumns ?? []), emptyRows: '[]' };
  const groupVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  const row = ROWS[`${groupVersion}/${kind.plural}`];
  const columns = builtInColumns(groupVersion, kind.plural) ?? DEFAULT_COLUMNS;
  if (row === undefined) return { columns, row: core.createdRow, emptyRows: 'null' };
  return { columns, row, emptyRows: row === definitionRow ? 'null' : '[]' };
}

export const SCALE: Printer = { columns: SCALE_COLUMNS, row: scaleRow, emptyRows: '[]' };
export const SCALE_OF_CUSTOM: Printer = { ...customTable(CUSTOM_SCALE_COLUMNS), emptyRows: '[]' };

const DEFAULT_COLUMNS: readonly Column[] = builtInColumns('v1', 'limitranges')!;

const ROWS: Readonly<Record<string, RowPrinter>> = {
  'v1/componentstatuses': core.componentStatusRow,
  'v1/configmaps': core.configMapRow,
  'v1/endpoints': networking.endpointsRow,
  'v1/events': coreEventRow,
  'v1/namespaces': core.namespaceRow,
  'v1/nodes': core.nodeRow,
  'v1/persistentvolumeclaims': storage.persistentVolumeClaimRow,
  'v1/persistentvolumes': storage.persistentVolumeRow,
  'v1/pods': podRow,
  'v1/podtemplates': podTemplateRow,
  'v1/replicationcontrollers': workloads.replicationControllerRow,
  'v1/resourcequotas': core.resourceQuotaRow,
  'v1/secrets': core.secretRow,
  'v1/serviceaccounts': core.plainRow,
  'v1/services': networking.serviceRow,
  'apiregistration.k8s.io/v1/apiservices': policy.apiServiceRow,
  'apps/v1/controllerrevisions': workloads.controllerRevisionRow,
  'apps/v1/daemonsets': workloads.daemonSetRow,
  'apps/v1/deployments': workloads.deploymentRow,
  'apps/v1/replicasets': workloads.replicaSetRow,
  'apps/v1/statefulsets': workloads.statefulSetRow,
  'events.k8s.io/v1/events': newEventRow,
  'autoscaling/v2/horizontalpodautoscalers': autoscalerRow,
  'autoscaling/v1/horizontalpodautoscalers': (item) => ({
    ...autoscalerRow(autoscalerV2(item)),
    metadata: undefined,
  }),
  'batch/v1/cronjobs': cronJobRow,
  'batch/v1/jobs': jobRow,
  'certificates.k8s.io/v1/certificatesigningrequests': signingRequestRow,
  'certificates.k8s.io/v1/clustertrustbundles': trustBundleRow,
  'certificates.k8s.io/v1/podcertificaterequests': podCertificateRow,
  'networking.k8s.io/v1/ingressclasses': networking.ingressClassRow,
  'networking.k8s.io/v1/ingresses': networking.ingressRow,
  'networking.k8s.io/v1/ipaddresses': networking.ipAddressRow,
  'networking.k8s.io/v1/networkpolicies': networking.networkPolicyRow,
  'networking.k8s.io/v1/servicecidrs': networking.serviceCidrRow,
  'policy/v1/poddisruptionbudgets': policy.disruptionBudgetRow,
  'rbac.authorization.k8s.io/v1/clusterrolebindings': roleBindingRow,
  'rbac.authorization.k8s.io/v1/rolebindings': roleBindingRow,
  'storage.k8s.io/v1/csidrivers': storage.csiDriverRow,
  'storage.k8s.io/v1/csinodes': storage.csiNodeRow,
  'storage.k8s.io/v1/storageclasses': storage.storageClassRow,
  'storage.k8s.io/v1/volumeattachments': storage.volumeAttachmentRow,
  'storage.k8s.io/v1/volumeattributesclasses': storage.volumeAttributesClassRow,
  'admissionregistration.k8s.io/v1/mutatingadmissionpolicies': policy.mutatingPolicyRow,
  'admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings': policy.policyBindingRow,
  'admissionregistration.k8s.io/v1/mutatingwebhookconfigurations': policy.webhookConfigurationRow,
  'admissionregistration.k8s.io/v1/validatingadmissionpolicies': policy.validatingPolicyRow,
  'admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': policy.policyBindingRow,
  'admissionregistration.k8s.io/v1/validatingwebhookconfigurations': policy.webhookConfigurationRow,
  'apiextensions.k8s.io/v1/customresourcedefinitions': definitionRow,
  'scheduling.k8s.io/v1/priorityclasses': policy.priorityClassRow,
  'coordination.k8s.io/v1/leases': policy.leaseRow,
  'node.k8s.io/v1/runtimeclasses': policy.runtimeClassRow,
  'discovery.k8s.io/v1/endpointslices': networking.endpointSliceRow,
  'resource.k8s.io/v1/deviceclasses': core.plainRow,
  'resource.k8s.io/v1/devicetaintrules': devices.taintRuleRow,
  'resource.k8s.io/v1/resourceclaims': devices.resourceClaimRow,
  'resource.k8s.io/v1/resourceclaimtemplates': core.plainRow,
  'resource.k8s.io/v1/resourceslices': devices.resourceSliceRow,
  'flowcontrol.apiserver.k8s.io/v1/flowschemas': policy.flowSchemaRow,
  'flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': policy.priorityLevelRow,
  'storagemigration.k8s.io/v1/storageversionmigrations': policy.migrationRow,
};

/** An autoscaler shown in v1 has most of its metrics in annotations. */
function autoscalerV2(item: Uint8Array): Uint8Array {
  v2Codec ??= builtInCodec('autoscaling/v2.HorizontalPodAutoscaler', {
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
  });
  return printJson(autoscalerFromV1(members(readTree(new JsonReader(decodeText(item)))), v2Codec));
}

let v2Codec: Codec | undefined;
