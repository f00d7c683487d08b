import t from 'tap'
import { filterWithin } from '#src/filter/restriction.ts'
import type { Restriction } from '#src/contract/access-control.ts'
import type { Filter } from '#src/contract/condition.ts'

const refuse = (): Error => new Error('refused')

const showing = (...names: readonly string[]): Restriction => ({
  condition: undefined,
  readable: new Set(names),
  writable: undefined,
  asWhere: () => undefined,
  testRows: () => undefined,
  matches: () => true,
  deny: refuse,
  denyProperty: refuse
})

const asking = (...names: readonly string[]): Filter => ({ order: [], skip: 0, fields: new Set(names) })

const fieldsOf = ({ fields }: Filter): readonly string[] | undefined => fields && [...fields]

t.test('the database is asked for no property that is kept from the client', (t) => {
  t.strictSame(fieldsOf(filterWithin(showing('id', 'name'), { order: [], skip: 0 })), ['id', 'name'])
  t.strictSame(fieldsOf(filterWithin(showing('id', 'name'), asking('name', 'salary'))), ['name'])
  t.end()
})

t.test('the database is asked for no property that the client did not ask for', (t) => {
  t.strictSame(fieldsOf(filterWithin(showing('id', 'name', 'nick'), asking('nick'))), ['nick'])
  t.end()
})
