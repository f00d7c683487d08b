const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/** True when the Content-Type header has the charset UTF-8 or none. */
export function isUtf8(contentType: string): boolean {
  if (!contentType.includes(';')) return true
  const name = charset.exec(contentType)?.[1]
  return name === undefined || /^utf-?8$/i.test(name)
}
