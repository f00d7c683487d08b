import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { root } from '../docs/markdown-files.mjs'
import { findWorkedOut } from '../facts/find-worked-out.mjs'

/** The places that define the facts, and those that are about names themselves. */
const exempt = {
  'packages/core/src/operations/': 'defines what operations do, and how their names are made',
  'packages/core/src/definition/method-table.ts': 'defines how names of methods are made',
  'packages/core/src/model/bring-methods.ts': 'defines which methods read and write records',
  'packages/core/src/relations/': 'defines the keys of relations',
  'packages/core/src/typed/models-of.ts': 'names the keys of relations for types, which see no resolved relation',
  'packages/relations/src/kinds/': 'defines which methods each kind of relation has',
  'packages/relations/src/operations/': 'defines what the methods of relations and scopes do, and their names',
  'packages/connector-loopback/src/': "calls the methods of LoopBack's connectors, which have such names",
  'packages/users/src/models/definitions.ts': 'holds access rules, which name methods',
  'packages/explorer/src/swagger/answers.ts': "LoopBack's document goes by how the application names its own methods"
}

const sources = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name, 'src'))
  .filter(existsSync)
  .flatMap(listFiles)
const findings = sources.flatMap((path) =>
  findWorkedOut(readFileSync(path, 'utf8')).map((finding) => ({ ...finding, path: relative(root, path) }))
)

function listFiles(path) {
  if (!statSync(path).isDirectory()) return path.endsWith('.ts') ? [path] : []
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)))
}

const exemptionOf = (path) => Object.keys(exempt).find((start) => path.startsWith(start))

t.test('no source works out again what an operation does, or which key a relation has', async (t) => {
  t.ok(sources.length > 500)
  const worked = findings.filter(({ path }) => exemptionOf(path) === undefined)
  t.same(
    worked.map(
      ({ path, line, text, message }) => `${path}:${line} ${text.replace(/\s+/g, ' ').slice(0, 80)}: ${message}`
    ),
    []
  )
})

t.test('every exemption is needed', async (t) => {
  const needed = new Set(findings.map(({ path }) => exemptionOf(path)))
  t.same(
    Object.keys(exempt).filter((start) => !needed.has(start)),
    []
  )
})

const effect = /`operation.effect`/
const relation = /`operation.effect.relation`/
const key = /`model.relations`/
const wrong = [
  ["const reads = new Set(['find', 'findOne', 'findById'])", effect],
  ["const writing = [\n  'create',\n  'updateAll', // of many\n  'prototype.patchAttributes'\n]", effect],
  ["if (operation.name === 'find') return", effect],
  ["if (shortName(operation.name) !== 'deleteById') return", effect],
  ["switch (name) { case 'findById': return true }", effect],
  ['const parsed = /^prototype\\.__get__(.+)$/.exec(name)', relation],
  ["if (name.startsWith('__')) return", relation],
  ["const [, , relation] = name.split('__')", relation],
  ['const name = `__${verb}__${relation}`', relation],
  ["const get = '__get__' + relation", relation],
  ['const full = `prototype.${name}`', relation],
  ["const short = name.replace('prototype.', '')", relation],
  ["const isRead = shortName(name).startsWith('find')", relation],
  ['const foreignKey = `${name}Id`', key],
  ["const foreignKey = camelCase(model.name) + 'Id'", key],
  ["if (property.endsWith('Id')) return", key],
  ["const relation = property.replace(/Id$/, '')", key]
]

for (const [code, message] of wrong) {
  t.test(`is found: ${code.replace(/\s+/g, ' ')}`, async (t) => {
    const found = findWorkedOut(`const a = 1\n${code}\n`)
    t.ok(found.length > 0)
    t.match(found[0], { line: 2, message })
  })
}

const right = [
  "if (operation.effect.verb === 'find') return",
  "const control = restrict({ model, method: 'findById' })",
  "const needs = ['find', 'count']",
  '// as in prototype.__get__books\nconst a = 1',
  "/** Was: `${name}Id`, ['findOne', 'findById'] */",
  "const { keyFrom } = model.relations.get('author')",
  "const url = 'https://example.org/' // name === 'findById'",
  'const methods = relation.many ? list : [name]'
]

for (const code of right)
  t.test(`is fine: ${code.replace(/\s+/g, ' ')}`, async (t) => {
    t.same(findWorkedOut(code), [])
  })
