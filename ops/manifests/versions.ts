/** The release of the API server that judges the manifests, and of its store. */
export const kubernetesVersion = '1.35.4'
export const etcdVersion = '3.6.16'
/** The version that is part of kubectl in that release. */
export const kustomizeVersion = '5.7.1'
