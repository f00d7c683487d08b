import t from 'tap'
import { startCommand } from '../start-command.ts'
import { makeShop } from './make-shop.ts'
import { onSqlite } from './on-sqlite.ts'

t.test('of processes that apply files at once, each file is applied by one, and none fails', async (t) => {
  const shop = makeShop(t)
  const run = onSqlite(t, shop.dir)
  await run('create table log (x integer)')
  for (const at of [1, 2, 3, 4])
    shop.write(
      `2026010100000${at}-m.mjs`,
      `export const dataSource = 'db'\nexport const up = ['insert into log values (${at})']\nexport const down = []\n`
    )
  const started = [1, 2, 3].map(() => startCommand(t, ['migrate', shop.dir, '--yes']))
  for (const { ended, text } of started) t.equal(await ended, 0, text())
  t.same(await run('select x from log order by x'), [{ x: 1 }, { x: 2 }, { x: 3 }, { x: 4 }])
  const applied = started
    .map(({ text }) => text())
    .join('')
    .match(/: applied /g)
  t.equal(applied?.length, 4)
  await shop.migrate(['--status', '--check'])
})
