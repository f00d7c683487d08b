import { InvalidOption } from '@modelwire/core/plugin'

const factors: Readonly<Record<string, number>> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 }
const pattern = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb|tb)?$/i

/**
 * Bytes in a size such as `100kb`, `1.5 MB`, `512` or a plain number. A kilobyte has 1024 bytes.
 * @throws {InvalidOption} the text is not a size
 * @see LoopBack 3: the `limit` of `remoting.json` and `remoting.urlencoded`
 */
export function parseByteSize(size: string | number): number {
  const [, amount, unit = 'b'] = pattern.exec(String(size).trim()) ?? []
  const factor = factors[unit.toLowerCase()]
  if (amount === undefined || factor === undefined)
    throw new InvalidOption(`${JSON.stringify(size)} is not a size in bytes`)
  return Math.floor(Number(amount) * factor)
}
