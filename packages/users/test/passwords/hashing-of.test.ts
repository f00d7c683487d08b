import { fillDefaults } from '@modelwire/server'
import t from 'tap'
import { UsersOptionsSchema } from '#src/options.ts'
import { boundParallel, hashingOf } from '#src/passwords/passwords.ts'

const bounds: [number | undefined, number, number][] = [
  [undefined, 1, 1],
  [undefined, 2, 1],
  [undefined, 8, 7],
  [3, 8, 3],
  [8, 8, 7],
  [100, 2, 1]
]

for (const [wanted, cores, places] of bounds) {
  void t.test(`of ${cores} cores ${places} hash where ${wanted ?? 'nothing'} is asked for`, async (t) => {
    t.equal(boundParallel(wanted, cores), places)
  })
}

void t.test('a number of hashes that is lowered is told', async (t) => {
  const said: string[] = []
  const hashing = hashingOf(fillDefaults(UsersOptionsSchema, { parallelHashes: 4 }), 4, (message) => said.push(message))
  t.strictSame(hashing, { kind: 'bcrypt', argon2: { memory: 19_456, passes: 2 }, parallel: 3 })
  t.match(said, [/parallelHashes is 3, not 4/])
  hashingOf(fillDefaults(UsersOptionsSchema, { parallelHashes: 3 }), 4, (message) => said.push(message))
  t.equal(said.length, 1)
})
