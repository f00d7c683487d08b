import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import t from 'tap'
import { mysqlFault } from '#src/mysql-fault.ts'

/** As MySQL and MariaDB write it: a value of whoever sent the record stands in it. */
const messageFor = (value: string, key: string): string => `Duplicate entry '${value}' for key '${key}'`

void t.test('the key of a duplicate is the one that the database names, whatever the value says', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom("x' for key 'User.email", "for key 'id'", "'", "' for key '", "a' for key 'b' for key 'c\n")
  )
  const key = fc.constantFrom('PRIMARY', 'User.username', 'user_email_key', 'a key')
  const number = fc.constantFrom(1062, 1586)
  fc.assert(
    fc.property(value, key, number, (entry, name, errno) => {
      const fault = mysqlFault(Object.assign(new Error(messageFor(entry, name)), { errno }))
      const taken = name === 'PRIMARY' ? { isPrimary: true } : { name: name.replace('User.', '') }
      return fault?.kind === 'duplicate' && isDeepStrictEqual(fault.taken, taken)
    })
  )
})

void t.test('whatever is thrown is a fault of a known kind, or none', async () => {
  const kinds = ['duplicate', 'constraint', 'value', 'lost', 'timeout', 'full', 'conflict', 'missing', 'pattern']
  const error = fc
    .record({ errno: fc.oneof(fc.integer(), fc.anything()), code: fc.oneof(fc.string(), fc.anything()) })
    .map((facts) => Object.assign(new Error('failed'), facts))
  fc.assert(
    fc.property(fc.oneof(fc.anything(), error), (thrown) => {
      const fault = mysqlFault(thrown)
      return fault === undefined || kinds.includes(fault.kind)
    })
  )
})
