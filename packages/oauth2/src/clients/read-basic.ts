import { CredentialsMalformed } from '../errors.ts'

/** Credentials of a client. */
export interface Credentials {
  readonly id: string
  readonly secret: string
}

const form = /^Basic ([A-Za-z0-9+/_-]+=*)$/i

/** A form-encoded text, or undefined for one that is not. */
function formDecode(text: string): string | undefined {
  if (!/[+%]/.test(text)) return text
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? undefined : decoded // No database looks for a null.
  } catch {
    return undefined // A percent sign of a raw secret: the raw reading follows.
  }
}

/**
 * The credentials of a header `Authorization`, in both ways of reading it: form-encoded first, then raw.
 * @throws {CredentialsMalformed} it is not a Basic header
 * @see RFC 6749 section 2.3.1, RFC 7617
 */
export function readBasic(header: string): readonly Credentials[] {
  const encoded = form.exec(header)?.[1]
  const text = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
  const at = text?.indexOf(':') ?? -1
  if (text === undefined || at < 1 || text.includes('\0'))
    throw new CredentialsMalformed('the Authorization header has no Basic credentials')
  const raw = { id: text.slice(0, at), secret: text.slice(at + 1) }
  const id = formDecode(raw.id)
  const secret = formDecode(raw.secret)
  const isSame = id === raw.id && secret === raw.secret
  return id === undefined || secret === undefined || isSame ? [raw] : [{ id, secret }, raw]
}
