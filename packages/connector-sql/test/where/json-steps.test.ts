import t from 'tap'
import { jsonSteps, writeStep } from '#src/where/test-json.ts'

void t.test('whole numbers lead to items, everything else to properties in quotes', async (t) => {
  const written = jsonSteps({}, ['list', '0', '01', 'a"].b']).map(writeStep)
  t.same(written, ['."list"', '[0]', '."01"', String.raw`."a\"].b"`])
})

void t.test('the first step into the column of undeclared properties is a name', async (t) => {
  const written = jsonSteps({ declared: new Map() }, ['2020', '0']).map(writeStep)
  t.same(written, ['."2020"', '[0]'])
})
