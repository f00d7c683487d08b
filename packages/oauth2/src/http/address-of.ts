/** The address of a path of this server. */
export function addressOf(issuer: string, path: string): string {
  return issuer.replace(/\/$/, '') + path
}
