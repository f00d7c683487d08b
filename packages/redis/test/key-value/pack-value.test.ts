import t from 'tap'
import { binaryPacker, jsonPacker } from '#src/key-value/kv-redis.ts'

/** What loopback-connector-kv-redis wrote for each value: in MessagePack as hexadecimal digits, and as JSON. */
const recorded: readonly (readonly [value: unknown, binary: string, json: string])[] = [
  ['hü', 'a368c3bc', '"hü"'],
  [5, '05', '5'],
  [1.5, 'cb3ff8000000000000', '1.5'],
  [true, 'c3', 'true'],
  [-1e10, 'd3fffffffdabf41c00', '-10000000000'],
  [[], '90', '[]'],
  [new Date('2020-01-02T03:04:05.678Z'), 'd7ffa1a5d6005e0d5da5', '"2020-01-02T03:04:05.678Z"'],
  [Buffer.from('bytes'), 'c4056279746573', '{"type":"Buffer","data":"Ynl0ZXM="}'],
  [
    { a: [1, 'x', null, new Date(0), Buffer.from('b')] },
    '81a1619501a178c0d6ff00000000c40162',
    '{"a":[1,"x",null,"1970-01-01T00:00:00.000Z",{"type":"Buffer","data":"Yg=="}]}'
  ]
]

t.test('values are written as LoopBack writes them, and read as it wrote them', async (t) => {
  const [binary, json] = [binaryPacker(), jsonPacker('base64')]
  for (const [value, packed, text] of recorded) {
    t.strictSame(binary.decode(Buffer.from(packed, 'hex')), value)
    t.equal(Buffer.from(binary.encode(value)).toString('hex'), packed)
    t.strictSame(json.decode(Buffer.from(text)), value)
    t.equal(json.encode(value), text)
  }
  const large = Buffer.from('cb4340000000000000', 'hex')
  t.equal(binary.decode(large), 2 ** 53)
})

t.test('names of the object model make no prototype', async (t) => {
  const json = jsonPacker('base64').decode(Buffer.from('{"__proto__":{"x":1}}')) as { x?: unknown }
  t.equal(json.x, undefined)
  // {"__proto__": {"x": 1}}
  t.throws(() => binaryPacker().decode(Buffer.from('81a95f5f70726f746f5f5f81a17801', 'hex')))
})
