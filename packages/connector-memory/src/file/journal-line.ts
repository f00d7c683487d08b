import { crc32 } from 'node:zlib'

/** A line of a journal. Versions before numbers were written have none. */
export interface JournalLine {
  readonly number: number | undefined
  readonly json: string
}

const checksumDigits = 8

const checksumOf = (json: string): string => crc32(json).toString(16).padStart(checksumDigits, '0')

/** A line as it stands in the file: its number, the checksum of what follows, and the change as JSON. */
export function writeLine(number: number, json: string): string {
  return `${number} ${checksumOf(json)} ${json}\n`
}

/** Takes a line apart; undefined when it is damaged. */
export function readLine(text: string): JournalLine | undefined {
  if (text.startsWith('{')) return { number: undefined, json: text }
  const [number = '', checksum = ''] = text.split(' ', 2)
  const json = text.slice(number.length + checksum.length + 2)
  if (!/^[1-9]\d*$/.test(number) || checksum !== checksumOf(json)) return undefined
  return { number: Number(number), json }
}
