/** LoopBack's built-in models whose records, like those of models that extend them, decide who may do what. */
export const builtInAccessModels = ['User', 'AccessToken', 'ACL', 'Role', 'RoleMapping', 'Scope'] as const
