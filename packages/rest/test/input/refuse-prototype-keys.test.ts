import t from 'tap'
import { refusePrototypeKeys } from '#src/input/read-query.ts'

const refused = [
  '__proto__',
  '__proto__=1',
  'a=1&__proto__=1',
  '__proto__[a]=1',
  'a[__proto__]=1',
  'a[__proto__][b]=1',
  'a%5B__proto__%5D=1',
  '%5f%5fproto%5f%5f=1',
  'a[%5F_proto__]=1',
  'a[b]=%ZZ&a[__proto__]=%ZZ'
]

const accepted = [
  '',
  'a=__proto__',
  'a=1&b=2',
  'my__proto__=1',
  'a[x__proto__]=1',
  'filter={"__proto__":1}',
  '%ZZ=1',
  '__proto=1'
]

t.test('keys named __proto__ are found in every encoding, values are not looked at', async (t) => {
  for (const raw of refused) {
    t.throws(() => refusePrototypeKeys(raw), { code: 'PROPERTY_NAME_REFUSED', statusCode: 400 }, raw)
  }
  for (const raw of accepted) t.doesNotThrow(() => refusePrototypeKeys(raw), raw)
})
