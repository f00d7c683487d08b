import { isPlainObject, mask, maskFields, maskSecrets } from '@modelwire/server'
import type { Answer, Difference } from '../../diff/compare.ts'
import { parseJson } from '../../diff/traffic.ts'
import type { Outcome } from '../../diff/run-diff.ts'

/** Characters of an answer that are kept. */
const longestText = 4000

/** Access tokens as LoopBack makes them; the id of such a record is the token. */
const tokens = /(?<![A-Za-z0-9])[A-Za-z0-9]{64}(?![A-Za-z0-9])/g

const maskText = (text: string): string => maskSecrets(text).replaceAll(tokens, mask)

/** A copy of the value with secret fields, secrets in addresses and possible access tokens masked. */
function maskValue(value: unknown): unknown {
  return maskTokens(maskFields(value))
}

function maskTokens(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(maskTokens)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskTokens(field)]))
}

/** Whether the values of a field are secrets, whatever they are. */
function isSecret(name: string): boolean {
  const masked = maskFields({ [name]: 0 })
  return isPlainObject(masked) && masked[name] === mask
}

/** A value by the names of the fields that it stands in: all that is below a secret is one. */
function maskPlaced(where: string, value: unknown): unknown {
  const isHidden = value !== undefined && value !== null && where.split('/').some(isSecret)
  return isHidden ? mask : maskValue(value)
}

const maskDifference = ({ where, kind, old, new: now }: Difference): Difference => ({
  where: maskText(where),
  kind,
  old: shorten(maskPlaced(where, old)),
  new: shorten(maskPlaced(where, now))
})

/** A value that is small enough to be kept. */
function shorten(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text === undefined || text.length <= longestText ? value : `${text.slice(0, longestText)}…`
}

function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const masked = Object.entries(headers).map(([name, value]) => [name, String(maskPlaced(name, value))] as const)
  return Object.fromEntries(masked)
}

function maskAnswer({ status, headers, text }: Answer): Answer {
  const value = parseJson(text)
  const masked = value === undefined ? maskText(text) : JSON.stringify(maskValue(value))
  return {
    status,
    headers: maskHeaders(headers),
    text: masked.length > longestText ? `${masked.slice(0, longestText)}…` : masked
  }
}

/** Differences that are kept of one request. */
const mostDifferences = 20

/** A request and its responses in displayable form: without secrets, and shortened. */
export function maskOutcome({ request, old, new: now, differences }: Outcome): Outcome {
  return {
    request: { ...request, path: maskText(request.path), headers: maskHeaders(request.headers) },
    old: maskAnswer(old),
    new: maskAnswer(now),
    differences: differences.slice(0, mostDifferences).map(maskDifference)
  }
}
