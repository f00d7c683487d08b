import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { checkPublicUrl, isPublicAddress } from '#src/requests/public-address.ts'

// The registries of special-purpose addresses by numbers (RFC 6890 and its successors): what nobody is asked at.
const networks4: readonly (readonly [number, number])[] = [
  [0, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3]
]
const isPrivate4 = (address: number): boolean =>
  networks4.some(([network, bits]) => address >= network && address < network + 2 ** (32 - bits))

const number4 = fc.oneof(
  fc.nat({ max: 0xffffffff }),
  // At the borders of networks, where mistakes are.
  fc
    .tuple(fc.constantFrom(...networks4), fc.integer({ min: -2, max: 2 }), fc.boolean())
    .map(([[network, bits], step, isEnd]) => (network + (isEnd ? 2 ** (32 - bits) : 0) + step + 2 ** 32) % 2 ** 32)
)
const bytes = (address: number): readonly number[] => [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff)
const dotted = (address: number): string => bytes(address).join('.')
const groups = (address: number): string => `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`

/** What connections and browsers take for the same address of version 4. */
const spellings4: readonly ((address: number) => string)[] = [
  dotted,
  String,
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    bytes(address)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  (address) =>
    bytes(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  (address) => `${address >>> 24}.${address & 0xffffff}`,
  (address) => `${dotted(address)}.`,
  (address) => dotted(address).replaceAll('.', '。')
]
/** Addresses of version 6 that hold one of version 4: mapped, compatible, of translators and tunnels. */
const holders: readonly ((address: number) => string)[] = [
  (address) => `::ffff:${dotted(address)}`,
  (address) => `::ffff:${groups(address)}`,
  (address) => `0:0:0:0:0:FFFF:${dotted(address)}`,
  (address) => `::${groups(address)}`,
  (address) => `64:ff9b::${groups(address)}`,
  (address) => `2002:${groups(address)}::`,
  (address) => `2001:0:${groups(address)}::`
]

function isAsked(host: string): boolean {
  try {
    checkPublicUrl(new URL(`https://${host}/keys`))
    return true
  } catch {
    return false
  }
}

void t.test('an address of version 4 is public exactly when no registry names it, however it is spelt', async () => {
  fc.assert(
    fc.property(number4, fc.constantFrom(...spellings4), (address, spell) => {
      const isPublic = !isPrivate4(address)
      return isPublicAddress(dotted(address)) === isPublic && isAsked(spell(address)) === isPublic
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('no address of version 6 leads to one of version 4', async () => {
  fc.assert(
    fc.property(number4, fc.constantFrom(...holders), (address, hold) => {
      const held = hold(address)
      return !isPublicAddress(held) && !isAsked(`[${held}]`)
    })
  )
})

void t.test('of version 6 only global unicast is public, less what is special there, long or short', async () => {
  const special: readonly (readonly [bigint, bigint])[] = [
    [0x2001_0000n, 23n],
    [0x2001_0db8n, 32n],
    [0x2002_0000n, 16n],
    [0x3fff_0000n, 20n]
  ]
  // Only the first 32 bits decide.
  const model = (first: bigint): boolean =>
    first >> 29n === 1n && special.every(([network, bits]) => first >> (32n - bits) !== network >> (32n - bits))
  const first32 = fc.oneof(
    fc.bigInt({ min: 0n, max: 0xffffffffn }),
    fc
      .tuple(fc.constantFrom(...special), fc.bigInt({ min: -1n, max: 1n }), fc.boolean())
      .map(([[network, bits], step, isEnd]) => network + (isEnd ? 1n << (32n - bits) : 0n) + step)
  )
  fc.assert(
    fc.property(first32, fc.array(fc.nat({ max: 0xffff }), { minLength: 6, maxLength: 6 }), (first, rest) => {
      const parts = [Number(first >> 16n), Number(first & 0xffffn), ...rest].map((part) => part.toString(16))
      const long = parts.map((part) => part.padStart(4, '0')).join(':')
      const short = new URL(`https://[${long}]`).hostname.slice(1, -1)
      return [long, long.toUpperCase(), short].every((each) => isPublicAddress(each) === model(first))
    }),
    { numRuns: runs(500) }
  )
})

void t.test('a text that is no address is no public one, and an address with a zone is not', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.ipV6(), (text, address) => {
      const isAddress = URL.canParse(`http://${text}`) || URL.canParse(`http://[${text}]`)
      return (isAddress || !isPublicAddress(text)) && !isPublicAddress(`${address}%eth0`)
    })
  )
})
