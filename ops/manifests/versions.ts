/** What the manifests are checked against: schemas, API server and its store. */
export const kubernetesVersion = '1.35.4'
export const etcdVersion = '3.6.16'
/** The kustomize inside kubectl of that release. */
export const kustomizeVersion = '5.7.1'
