import { XmlRefused } from '../errors.ts'

const predefined: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"]
])
const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([^;\s&]*));?/gi

/**
 * `text` with its references replaced: the five entities that XML predefines, and characters by number.
 * @throws {XmlRefused} another entity, or a number that is not an XML character
 * @see XML 1.0 sections 4.1, 4.6 and 2.2
 */
export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (!whole.endsWith(';')) throw new XmlRefused('An & in XML must start a reference that ends with ;')
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    if (decimal !== undefined) return characterOf(Number(decimal))
    const character = predefined.get(name ?? '')
    if (character === undefined) throw new XmlRefused('Only the entities lt, gt, amp, quot and apos are known')
    return character
  })
}

function characterOf(point: number): string {
  if (!isXmlCharacter(point)) throw new XmlRefused('A reference by number is not a character of XML')
  return String.fromCodePoint(point)
}

function isXmlCharacter(point: number): boolean {
  if (point < 0x20) return point === 0x9 || point === 0xa || point === 0xd
  return point <= 0xd7ff || (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff)
}
