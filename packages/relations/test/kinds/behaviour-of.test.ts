import t from 'tap'
import { addedKinds } from '#src/kinds/behaviour-of.ts'
import { hasMany } from '#src/kinds/has-many.ts'
import { hasOne } from '#src/kinds/has-one.ts'

t.test('core is told of the kinds that it does not know by itself', async (t) => {
  const resolve = () => ({ to: undefined, keyFrom: 'id', keyTo: 'latestId' })
  const declares = { embeds: false, holdsKey: undefined, resolve }
  t.strictSame(addedKinds({ hasMany, hasLatest: { ...hasOne, declares } }), { hasLatest: { many: false, ...declares } })
  t.notOk('hasMany' in addedKinds(), 'those of LoopBack are known')
})
