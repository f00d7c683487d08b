import t from 'tap'
import { modelTypes } from '#src/index.ts'
import { cellar, makeApp } from '../make-app.ts'

t.test('server code gets records with dates and hidden properties', async (t) => {
  const app = await makeApp(t, cellar)
  const expected = `/** A bottle */
export interface Wine {
  /**
   * what is on
   * the label
   */
  name: string
  year?: number | null
  code?: string | null
  grapes?: string[] | null
  bottledOn?: Date | null
  colour: "red" | "white"
  place?: { lat: number; lng: number } | null
  meta?: Record<string, unknown> | null
  id: number
  regionId?: string | null
}
`
  t.ok(modelTypes(app).endsWith(expected), modelTypes(app))
})

t.test('clients get what JSON shows, and related records', async (t) => {
  const types = modelTypes(await makeApp(t, cellar), { for: 'clients' })
  t.match(types, /bottledOn\?: string \| null/)
  t.match(types, /region\?: Region \| null\n/)
  t.match(types, /wines\?: Wine\[\]\n/)
  t.notMatch(types, /code\?: string/)
})

t.test('names that TypeScript does not take are adapted, and texts cannot end a comment', async (t) => {
  const app = await makeApp(t, [
    {
      name: 'big-thing',
      description: 'a */ b',
      properties: { 'first name': 'string', list: [{ size: 'number' }], odd: { type: ['string'], enum: [1, 'a'] } }
    }
  ])
  const types = modelTypes(app)
  t.match(types, /^\/\*\* a \*\\\/ b \*\/\nexport interface BigThing \{/m)
  t.match(types, /"first name"\?: string \| null/)
  t.match(
    types,
    /list\?: \{ size\?: number \| null \}\[\] \| null|list\?: \(\{ size\?: number \| null \}\)\[\] \| null/
  )
  t.match(types, /odd\?: 1 \| "a" \| null/)
})
