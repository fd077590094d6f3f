// Fields of the aggregated discovery document, as rows of the field tables: its numbers are those published with the API.

export const DISCOVERY_ROWS: Readonly<Record<string, readonly string[]>> = {
  'apidiscovery/v2.APIGroupDiscoveryList': [
    'TypeMeta||meta/v1.TypeMeta|inline',
    'ListMeta|metadata|meta/v1.ListMeta|omitempty|1 bytes opt',
    'Items|items|[]apidiscovery/v2.APIGroupDiscovery||2 bytes rep',
  ],
  'apidiscovery/v2.APIGroupDiscovery': [
    'TypeMeta||meta/v1.TypeMeta|inline',
    'ObjectMeta|metadata|meta/v1.ObjectMeta|omitempty|1 bytes opt',
    'Versions|versions|[]apidiscovery/v2.APIVersionDiscovery|omitempty|2 bytes rep',
  ],
  'apidiscovery/v2.APIVersionDiscovery': [
    'Version|version|string||1 bytes opt',
    'Resources|resources|[]apidiscovery/v2.APIResourceDiscovery|omitempty|2 bytes rep',
    'Freshness|freshness|string|omitempty|3 bytes opt',
  ],
  'apidiscovery/v2.APIResourceDiscovery': [
    'Resource|resource|string||1 bytes opt',
    'ResponseKind|responseKind|*apidiscovery/v2.GroupVersionKind|omitempty|2 bytes opt',
    'Scope|scope|string||3 bytes opt',
    'SingularResource|singularResource|string||4 bytes opt',
    'Verbs|verbs|[]string||5 bytes rep',
    'ShortNames|shortNames|[]string|omitempty|6 bytes rep',
    'Categories|categories|[]string|omitempty|7 bytes rep',
    'Subresources|subresources|[]apidiscovery/v2.APISubresourceDiscovery|omitempty|8 bytes rep',
  ],
  'apidiscovery/v2.APISubresourceDiscovery': [
    'Subresource|subresource|string||1 bytes opt',
    'ResponseKind|responseKind|*apidiscovery/v2.GroupVersionKind|omitempty|2 bytes opt',
    'AcceptedTypes|acceptedTypes|[]apidiscovery/v2.GroupVersionKind|omitempty|3 bytes rep',
    'Verbs|verbs|[]string||4 bytes rep',
  ],
  'apidiscovery/v2.GroupVersionKind': [
    'Group|group|string||1 bytes opt',
    'Version|version|string||2 bytes opt',
    'Kind|kind|string||3 bytes opt',
  ],
};
