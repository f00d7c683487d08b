import type { ModelDefinition } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const ownReads = [deny, rule('$owner', 'ALLOW', { accessType: 'READ' })]
const owner = { owner: { type: 'belongsTo', model: 'User', foreignKey: 'userId' } } as const

const numbered = { id: { type: 'number', id: true }, userId: 'number' } as const
const nested = { options: { nestRemoting: true } }
const notes = { type: 'hasMany', model: 'Note', foreignKey: 'of' } as const
const everybody = [rule('$everyone', 'ALLOW')]

/** Several records may be the topic of an article, by its name, which is no key; or its cover: nothing makes sure that there is one. */
const models: readonly ModelDefinition[] = [
  {
    name: 'Article',
    properties: { ...numbered, about: 'string' },
    relations: {
      topic: { type: 'belongsTo', model: 'Topic', foreignKey: 'about', primaryKey: 'name', ...nested },
      cover: { type: 'hasOne', model: 'Cover', foreignKey: 'articleId', ...nested }
    },
    acls: everybody
  },
  { name: 'Topic', properties: { ...numbered, name: 'string' }, relations: { ...owner, notes }, acls: ownReads },
  { name: 'Cover', properties: { ...numbered, articleId: 'number' }, relations: { ...owner, notes }, acls: ownReads },
  { name: 'Note', properties: { ...numbered, of: 'number', text: 'string' }, acls: everybody }
]

/** @param others records of somebody else stand before those of user 1 */
async function serve(t: Test, others: boolean): Promise<FastifyInstance> {
  const app = await makeApp(t, models)
  await app.ready()
  const add = async (name: string, row: Record<string, unknown>): Promise<unknown> => app.models.get(name).create(row)
  for (const name of ['one', 'two']) await add('User', { name })
  await add('Article', { id: 1, about: 'x' })
  for (const [id, userId] of others
    ? ([
        [1, 2],
        [5, 1]
      ] as const)
    : ([[5, 1]] as const)) {
    await add('Topic', { id, name: 'x', userId })
    await add('Cover', { id, articleId: 1, userId })
    await add('Note', { id, of: id, text: `of ${userId}` })
  }
  return app
}

const paths = ['topic', 'cover'].flatMap((name) => [
  `/api/Articles/1?filter={"include":"${name}"}`,
  `/api/Articles?filter={"include":{"relation":"${name}","scope":{"include":"notes"}}}`,
  `/api/Articles/1/${name}`,
  `/api/Articles/1/${name}/notes`
])

t.test('of several records that a key leads to, a caller gets one that it may read', async (t) => {
  for (const path of paths) {
    const told: unknown[] = []
    for (const others of [false, true]) {
      const app = await serve(t, others)
      const answer = await app.inject({ url: encodeURI(path), headers: { user: '1' } })
      t.equal(answer.statusCode, 200, path)
      t.match(answer.payload, /"id":5|"text":"of 1"/, path)
      told.push(JSON.parse(answer.payload))
      t.equal(
        (await app.inject({ url: encodeURI(path), headers: { user: '3' } })).statusCode,
        401,
        `${path}, of nobody`
      )
    }
    t.same(told[0], told[1], `${path}: others make no difference`)
  }
})
