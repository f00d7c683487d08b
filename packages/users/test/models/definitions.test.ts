import t from 'tap'
import { userModel } from '#src/index.ts'

void t.test('version 2 has five properties more', async (t) => {
  const [two, three] = [userModel(2), userModel(3)].map(({ properties }) => Object.keys(properties ?? {}))
  const more = (two ?? []).filter((name) => !three?.includes(name))
  t.strictSame(new Set(more), new Set(['credentials', 'challenges', 'status', 'created', 'lastUpdated']))
})
