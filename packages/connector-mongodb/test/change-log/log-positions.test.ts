import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { Binary, Timestamp } from 'mongodb'
import t from 'tap'
import { comparePlaces, type LogPlace } from '#src/change-log/log-places.ts'
import { readPosition, writePosition } from '#src/change-log/mongodb-change-log.ts'

const secret = randomBytes(32)

const place: fc.Arbitrary<LogPlace> = fc.record(
  {
    token: fc.record(
      {
        _data: fc.oneof(
          fc
            .uint8Array({ minLength: 1, maxLength: 200 })
            .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase()),
          fc.string({ minLength: 1 })
        ),
        _typeBits: fc.constant(new Binary(Buffer.from([1, 2])))
      },
      { requiredKeys: ['_data'] }
    ),
    within: fc.record({ passed: fc.nat(100), time: fc.constant(Timestamp.fromBits(7, 1_700_000_000)) })
  },
  { requiredKeys: ['token'] }
)

void t.test('a position is the place that it was made of, for those who have the secret', (t) => {
  fc.assert(
    fc.property(place, (made) => {
      const position = writePosition(secret, made)
      const read = readPosition(secret, position)
      t.same(read, made)
      t.equal(readPosition(randomBytes(32), position), undefined)
      t.not(writePosition(secret, made), position)
    })
  )
  t.end()
})

void t.test('no changed text is a position', (t) => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 255 }), (made, at, change) => {
      const bytes = Buffer.from(writePosition(secret, made), 'base64url')
      const index = at % bytes.length
      bytes[index] = (bytes[index] ?? 0) ^ change
      t.equal(readPosition(secret, bytes.toString('base64url')), undefined)
    })
  )
  t.end()
})

// Tokens as a server of MongoDB 7 gives them.
const between = '8265F2A4B1000000022B0429296E1404'
const event =
  '8265F2A4B1000000012B042C0100296E5A1004C2F36D3A1F9F4C0CB0F5A2B1D6F0A1B2463C6F7065726174696F6E54797065003C696E736572740046646F63756D656E744B65790046645F6964006465F2A4B1A1B2C3D4E5F601020004'

void t.test('a position does not show whether it is one of a change', (t) => {
  const [one, other] = [between, event].map((data) => writePosition(secret, { token: { _data: data } }))
  t.equal(one?.length, other?.length)
  t.end()
})

void t.test('places are in the order of their tokens, and of the entries of a change', (t) => {
  const time = Timestamp.fromBits(1, 1)
  const [first, last] = [{ token: { _data: event } }, { token: { _data: between } }]
  const within = [1, 2].map((passed) => ({ ...first, within: { passed, time } }))
  const places: LogPlace[] = [...within, first, last]
  for (const [at, one] of places.entries())
    for (const [before, other] of places.entries())
      t.equal(Math.sign(comparePlaces(one, other)), Math.sign(at - before))
  t.end()
})
