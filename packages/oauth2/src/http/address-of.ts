/** The address of a path of this server, which is below that of the issuer already. */
export function addressOf(issuer: string, path: string): string {
  return new URL(issuer).origin + path
}
