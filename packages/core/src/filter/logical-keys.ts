/** Keys of a `where` that join conditions, each with a list of them. */
export const logicalKeys: ReadonlySet<string> = new Set(['and', 'or', 'nor'])
