const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8')

/** The longer of user and password: clients put a token into either. */
function longerPart(credentials: string): string {
  const parts = /^([^:]*):(.*)$/.exec(credentials)
  if (parts === null) return credentials
  const [, user = '', password = ''] = parts
  return password.length > user.length ? password : user
}

/**
 * The token in a header: the whole text, or what follows `Bearer ` or `Basic `.
 * @param isBase64 Bearer tokens are written in Base64. LB3: the default there, pinned by acl/tokens
 */
export function readAuthorization(header: string, isBase64: boolean): string {
  if (header.startsWith('Bearer ')) {
    const token = header.slice('Bearer '.length)
    return isBase64 ? fromBase64(token) : token
  }
  return /^Basic /i.test(header) ? longerPart(fromBase64(header.slice('Basic '.length))) : header
}
