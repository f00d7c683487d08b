import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineModel, type ModelsOf } from '#src/index.ts'
import { buildRegistry } from '#src/build-registry.ts'

const models = {
  Organisation: defineModel('Organisation', Type.Object({ id: Type.String(), name: Type.String() }), {
    relations: { tickets: { type: 'hasMany', model: 'Ticket' } }
  }),
  Ticket: defineModel(
    'Ticket',
    Type.Object({
      title: Type.String(),
      priority: Type.Union([Type.Literal('low'), Type.Literal('high')], { default: 'low' }),
      opened: Type.Date({ defaultFn: 'now' }),
      place: Type.Optional(Type.Object({ street: Type.Object({ name: Type.String() }) }))
    }),
    {
      mixins: { TimeStamp: true },
      relations: {
        organisation: { type: 'belongsTo', model: 'Organisation' },
        comments: { type: 'hasMany', model: 'Comment' }
      }
    }
  ),
  Comment: defineModel(
    'Comment',
    {
      type: 'object',
      properties: { text: { type: 'string' }, stars: { type: 'integer', default: 1 } },
      required: ['text', 'stars']
    },
    { relations: { author: { type: 'belongsTo', model: 'Nobody', foreignKey: 'writer' } } }
  )
}
type Models = ModelsOf<typeof models>

// The functions below are never called: their lines only have to compile, or must not.

export async function checkRecords({ Ticket, Comment }: Models): Promise<void> {
  const ticket = await Ticket.create({ title: 'Broken' })
  const times: [Date, Date] = [ticket.createdAt, ticket.updatedAt]
  const key: string | null | undefined = ticket.organisationId
  await Ticket.create({ title: `${times.length}${key}`, priority: 'high', organisationId: 'a' })
  // @ts-expect-error the organisation's id is a text
  await Ticket.create({ title: 'x', organisationId: 5 })
  // @ts-expect-error there is no such priority
  await Ticket.create({ title: 'x', priority: 'odd' })
  // @ts-expect-error a title is required
  await Ticket.create({ priority: 'high' })
  const comment = await Comment.create({ text: 'x', ticketId: ticket.id })
  const stars: number = comment.stars
  await Comment.updateAll({ ticketId: stars }, { text: 'y' })
  // @ts-expect-error a text is required
  await Comment.create({ stars: 2 })
  const created = await ticket.comments.create({ text: 'z' })
  created.text.trim()
  const organisation = await ticket.organisation()
  organisation?.name.trim()
}

export async function checkFilters({ Ticket, Organisation }: Models): Promise<void> {
  await Ticket.find({ where: { organisation: { name: 'x' } }, order: ['priority DESC', 'organisation.name'] })
  await Ticket.find({ where: { 'place.street.name': 'x', 'comments.text': { like: 'a%' } }, order: 'place.street' })
  await Organisation.find({ where: { tickets: { comments: { stars: { gt: 2 } } } } })
  // @ts-expect-error no such property
  await Ticket.find({ order: 'priorty DESC' })
  // @ts-expect-error no such property of the organisation
  await Ticket.find({ where: { organisation: { nam: 'x' } } })
  // @ts-expect-error no such path
  await Ticket.find({ where: { 'place.stret.name': 'x' } })
  // @ts-expect-error no such property of comments
  await Ticket.find({ order: 'comments.txet ASC' })
  // @ts-expect-error no such relation
  await Ticket.find({ include: 'commnts' })
  // @ts-expect-error no such relation of comments
  await Ticket.find({ include: { comments: 'organisation' } })
  // @ts-expect-error no such relation in a list
  await Ticket.find({ include: ['comments', 'organisatin'] })
}

export async function checkAnswers({ Ticket, Organisation }: Models): Promise<void> {
  const [ticket] = await Ticket.find({ include: ['comments', 'organisation'], limit: 1 })
  const shown = ticket?.toJSON()
  const texts: string[] | undefined = shown?.comments.map(({ text }) => text)
  const name: string | undefined = shown?.organisation?.name
  const nested = await Organisation.findById('a', { include: { relation: 'tickets', scope: { include: 'comments' } } })
  const stars: number | undefined = nested?.toJSON().tickets[0]?.comments[0]?.stars
  const few = await Ticket.findOne({ fields: ['title'] })
  const title: string | undefined = few?.title
  // @ts-expect-error the field was left out
  const left = few?.priority
  const most = await Ticket.findOne({ fields: { title: false } })
  const kept: string | undefined = most?.priority
  // @ts-expect-error the field was left out
  const gone = most?.title
  // @ts-expect-error nothing was included
  const none = (await Ticket.findOne())?.toJSON().comments
  void [texts, name, stars, title, left, kept, gone, none]
}

export function checkSettings(): void {
  const schema = Type.Object({ a: Type.String() })
  // @ts-expect-error misspelt
  defineModel('A', schema, { publik: true })
  // @ts-expect-error misspelt
  defineModel('A', schema, { relatons: {} })
  // @ts-expect-error there is no such type of relations
  defineModel('A', schema, { relations: { bs: { type: 'hasmany', model: 'B' } } })
  // @ts-expect-error misspelt
  defineModel('A', schema, { relations: { bs: { type: 'hasMany', model: 'B', foreinKey: 'a' } } })
  defineModel('A', schema, { options: { ownSetting: 1 } })
}

t.test('a model of plain JSON Schema has the rules of its keywords', async (t) => {
  const registry = buildRegistry({ models }, () => {})
  const { byName } = registry.typeOf('Comment')
  t.match(byName.get('text'), { type: { kind: 'string' }, required: true })
  t.match(byName.get('stars'), { required: false, definition: { default: 1 } })
})

t.test('a misspelt keyword of a property is refused, with the one that was meant', async (t) => {
  const define = (): unknown => defineModel('A', Type.Object({ name: Type.String({ uniqe: true }) }))
  t.throws(define, {
    code: 'MODEL_DEFINITION_INVALID',
    message: /unknown keyword "uniqe": did you mean "unique"\?/,
    where: { key: 'properties.name' }
  })
  t.doesNotThrow(() => defineModel('A', Type.Object({ name: Type.String({ 'x-note': 1, title: 'Name' }) })))
})

t.test('parts of plain JSON Schema are looked into like those of TypeBox', async (t) => {
  const address = {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      kind: { enum: ['home', 'work'] },
      lines: { type: 'array', items: { type: 'string' } }
    },
    required: ['city']
  } as const
  const Person = defineModel('Person', {
    type: 'object',
    properties: { name: { type: ['string', 'null'] }, address, level: { oneOf: [{ const: 1 }, { const: 2 }] } }
  })
  const registry = buildRegistry({ models: { Person } }, () => {})
  const valid = async (data: object): Promise<string> => {
    try {
      await registry.get('Person').create({ ...data })
      return 'stored'
    } catch (error) {
      return (error as { code: string }).code // errors of models have one
    }
  }
  t.equal(await valid({ address: { city: 'x' } }), 'VALIDATION_FAILED')
  t.equal(await valid({ address: { city: 'Rome', more: 1 } }), 'VALIDATION_FAILED')
  t.equal(await valid({ address: { city: 'Rome', kind: 'sea' } }), 'VALIDATION_FAILED')
  t.equal(await valid({ level: 3 }), 'VALIDATION_FAILED')
  t.not(
    await valid({ name: null, level: 2, address: { city: 'Rome', kind: 'home', lines: ['a'] } }),
    'VALIDATION_FAILED'
  )
})
