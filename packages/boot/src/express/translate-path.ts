/**
 * A path of today's Express for one of the Express of LoopBack's time: `*` and `/:name?` are written otherwise. Everything
 * that is no text is left as it is.
 */
export function translatePath(path: unknown): unknown {
  if (Array.isArray(path)) return path.map(translatePath)
  if (typeof path !== 'string' || path.includes('{')) return path
  let wildcards = 0
  return path.replace(/\/:(\w+)\?/g, '{/:$1}').replace(/\(\.\*\)|\*(?!\w)/g, () => `{*wildcard${wildcards++}}`)
}

/** The same for `use`, where a root among several paths means every path: today's Express takes it so only when it is alone. */
export function translateMountPath(path: unknown): unknown {
  return Array.isArray(path) && path.includes('/') ? '/' : translatePath(path)
}
