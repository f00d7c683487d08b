import t from 'tap'
import { versionRules } from '#src/version.ts'

t.test('both versions say something about every difference, and never the same', async (t) => {
  const [two, three] = [versionRules[2], versionRules[3]]
  t.strictSame(Object.keys(two).toSorted(), Object.keys(three).toSorted())
  for (const key of Object.keys(three) as (keyof typeof three)[]) t.not(two[key], three[key], key)
})

t.test('version 3 replaces on PUT, forces ids and forbids dots', async (t) => {
  t.match(versionRules[3], { replaceOnPUT: true, forceId: 'auto', dottedNames: false, modelNamedFile: false })
  t.match(versionRules[2], { replaceOnPUT: false, forceId: false, dottedNames: true, modelNamedFile: true })
})
