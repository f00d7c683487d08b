/** True when a request's URL is one of `paths` or below one of them, in any case. */
export function isBelow(url: string, paths: readonly string[]): boolean {
  const path = `${url.split('?')[0] ?? ''}/`.toLowerCase()
  return paths.some((root) => path.startsWith(`${root.toLowerCase().replace(/\/+$/, '')}/`))
}
