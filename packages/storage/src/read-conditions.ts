import type { IncomingHttpHeaders } from 'node:http'
import type { OpenFile } from './store.ts'

/** What the conditions of a request come to: the file is sent, is what the client has already, or is not the one it means. */
export type ConditionOutcome = 'send' | 'not modified' | 'failed'

type Validators = Pick<OpenFile, 'etag' | 'lastModified'>

const isWeak = (etag: string): boolean => etag.startsWith('W/')
const opaque = (etag: string): string => etag.replace(/^W\//, '')

/** The entity tags of a header: quoted, so that commas within them are theirs. */
const tagsOf = (header: string): readonly string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []

/** @see RFC 9110 section 8.8.3.2: by strong comparison no weak tag fits */
const matches = (header: string, { etag }: Validators, isStrong: boolean): boolean =>
  header.trim() === '*' ||
  tagsOf(header).some((tag) => opaque(tag) === opaque(etag) && !(isStrong && (isWeak(tag) || isWeak(etag))))

/** HTTP's times have whole seconds. NaN for what is not a time: the header is ignored then. */
const secondsOf = (date: Date | string): number => Math.floor(new Date(date).getTime() / 1000)

const isNewer = ({ lastModified }: Validators, than: string): boolean => secondsOf(lastModified) > secondsOf(than)
const isNotNewer = ({ lastModified }: Validators, than: string): boolean => secondsOf(lastModified) <= secondsOf(than)

function precondition(headers: IncomingHttpHeaders, file: Validators): boolean {
  const { 'if-match': match, 'if-unmodified-since': unmodified } = headers
  if (match !== undefined) return matches(match, file, true)
  return unmodified === undefined || !isNewer(file, unmodified)
}

function isNotModified(headers: IncomingHttpHeaders, file: Validators): boolean {
  const { 'if-none-match': none, 'if-modified-since': modified } = headers
  if (none !== undefined) return matches(none, file, false)
  return modified !== undefined && isNotNewer(file, modified)
}

/** @see RFC 9110 section 13.2.2 */
export function conditionOutcome(headers: IncomingHttpHeaders, file: Validators): ConditionOutcome {
  if (!precondition(headers, file)) return 'failed'
  return isNotModified(headers, file) ? 'not modified' : 'send'
}

/** False where the part that a client has is of another file than the one that is there. @see RFC 9110 section 13.1.5, If-Range */
export function isSameFile(condition: string | undefined, file: Validators): boolean {
  if (condition === undefined || condition === file.lastModified.toUTCString()) return true
  return /^\s*(?:W\/)?"/.test(condition) && matches(condition, file, true)
}
