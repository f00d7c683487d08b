import t from 'tap'
import { readLog } from '#src/settings.ts'

t.test('debug writes statements without the secrets of addresses in them', async (t) => {
  const lines: string[] = []
  const log = readLog({ debug: true }, (line) => lines.push(line))
  log?.('select "a" from "b" where "c" = $1', 1.25)
  log?.(`alter table "b" add "hook" text default 'https://a.example/in?access_token=s3cret&x=1'`, 2)
  t.strictSame(lines, [
    'select "a" from "b" where "c" = $1 -- 1.3 ms\n',
    `alter table "b" add "hook" text default 'https://a.example/in?access_token=…&x=1' -- 2.0 ms\n`
  ])
})

t.test('nothing is written unless debug says so, and a function of the application counts more', async (t) => {
  t.equal(readLog({ debug: false }), undefined)
  const own = (): void => {}
  t.equal(readLog({ debug: true, onStatement: own }), own)
})
