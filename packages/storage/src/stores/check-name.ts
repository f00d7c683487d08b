import { FileNameInvalid } from '../errors.ts'

/** Prefix of the names of files being uploaded: lists omit them, and no client may use them. */
export const pendingPrefix = '.modelwire-upload-'

const maxBytes = 255
/** Separators, and characters that no name should have. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const refused = /[/\\\u0000-\u001F\u007F]/
/** Devices of Windows, with any extension. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00B9\u00B2\u00B3])\s*(?:\.|$)/i
const refusedByWindows = /[<>:"|?*]/

function problemOf(name: string, platform: NodeJS.Platform): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'it is empty or a dot'
  if (!name.isWellFormed()) return 'it is not well-formed Unicode'
  if (refused.test(name)) return 'it contains a separator or a control character'
  if (Buffer.byteLength(name) > maxBytes) return `it is longer than ${maxBytes} bytes`
  if (name.endsWith('.') || name.endsWith(' ')) return 'it ends with a dot or a space'
  if (reserved.test(name) || name.startsWith(pendingPrefix)) return 'it is reserved'
  if (platform === 'win32' && refusedByWindows.test(name)) return 'it contains a character that Windows does not allow'
  return undefined
}

const problemWith = (name: unknown, platform: NodeJS.Platform): string | undefined =>
  typeof name === 'string' ? problemOf(name, platform) : 'it is not a string'

/** True for a name that `checkName` accepts. */
export const isName = (name: unknown): name is string => problemWith(name, process.platform) === undefined

/**
 * Validates the name of a container or a file: on any system, it can only refer to an entry of its folder.
 * @throws {FileNameInvalid} it may lead elsewhere
 */
export function checkName(name: unknown, platform: NodeJS.Platform = process.platform): string {
  const problem = problemWith(name, platform)
  // A name that is not a string has a problem.
  if (problem === undefined) return name as string
  throw new FileNameInvalid(`Invalid name: ${problem}`)
}

/** Validates the key of an object in a store: names separated by slashes. */
export function checkKey(key: unknown): string {
  if (typeof key !== 'string') return checkName(key)
  for (const name of key.split('/')) checkName(name, 'linux')
  return key
}
