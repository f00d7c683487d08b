import t from 'tap'
import { closestName } from '#src/values/describe.ts'

const names = ['host', 'hostname', 'port', 'connectTimeout', 'ssl']

const cases: readonly (readonly [written: string, meant: string | undefined])[] = [
  ['hots', 'host'],
  ['Port', 'port'],
  ['sll', 'ssl'],
  ['conectTimeot', 'connectTimeout'],
  ['connecttimeout', 'connectTimeout'],
  ['hostnames', 'hostname'],
  ['pool', undefined],
  ['statementTimeout', undefined]
]

for (const [written, meant] of cases)
  t.test(`${written} seems to mean ${meant ?? 'nothing'}`, async (t) => {
    t.equal(closestName(written, names), meant)
  })
