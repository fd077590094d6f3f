# Kubernetes' own Python client against the server of the kubeconfig in argv[1], with the manifest in argv[2]. Prints what it
# saw as one line of JSON.
import json
import sys
import threading

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.exceptions import ApiException

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
told = {}

utils.create_from_yaml(client.ApiClient(), sys.argv[2], namespace="default")
told["created"] = sorted(item.metadata.name for item in core.list_namespaced_config_map("default").items)
told["replicas"] = client.AppsV1Api().read_namespaced_deployment("web", "default").spec.replicas
try:
    utils.create_from_yaml(client.ApiClient(), sys.argv[2], namespace="default")
except utils.FailToCreateError as error:
    told["again"] = sorted({exception.status for exception in error.api_exceptions})

for n in range(25):
    core.create_namespaced_config_map("default", {"metadata": {"name": f"page-{n:02d}"}})
names, token = [], None
while True:
    page = core.list_namespaced_config_map("default", limit=10, _continue=token)
    names += [item.metadata.name for item in page.items]
    token = page.metadata._continue
    if not token:
        break
told["paged"] = len(set(names))
told["labelled"] = [item.metadata.name for item in core.list_config_map_for_all_namespaces(label_selector="app=demo").items]

version = core.list_namespaced_config_map("default").metadata.resource_version


def change():
    created = core.create_namespaced_config_map("default", {"metadata": {"name": "watched"}, "data": {"k": "v"}})
    created.data["k"] = "ü\n€"
    core.replace_namespaced_config_map("watched", "default", created)
    core.patch_namespaced_config_map("watched", "default", {"data": {"more": "y"}})
    core.delete_namespaced_config_map("watched", "default")


threading.Thread(target=change).start()
watched = watch.Watch()
told["events"] = []
for event in watched.stream(core.list_namespaced_config_map, "default", resource_version=version, timeout_seconds=60):
    told["events"].append([event["type"], event["object"].metadata.name, event["object"].data])
    if event["type"] == "DELETED":
        watched.stop()

pods = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="v1", kind="ConfigMap")
told["dynamic"] = len(pods.get(namespace="default").items)
core.delete_collection_namespaced_config_map("default", label_selector="app=demo")
try:
    core.read_namespaced_config_map("greeting", "default")
except ApiException as error:
    told["gone"] = [error.status, json.loads(error.body)["reason"]]
print(json.dumps(told))
