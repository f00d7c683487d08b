import { Type } from '@sinclair/typebox'
import { defineModel, type ModelsOf } from '#src/index.ts'

// These functions are never called: each mistake has to be refused.

/** Models whose types the lines below are about: numeric ids, declared ids, and one of another name. */
export const models = {
  Court: defineModel('Court', Type.Object({ name: Type.String(), indoor: Type.Boolean({ default: false }) }), {
    relations: { bookings: { type: 'hasMany', model: 'Booking' } }
  }),
  Member: defineModel('Member', Type.Object({ id: Type.String(), email: Type.String() })),
  Country: defineModel('Country', Type.Object({ code: Type.String({ id: true }), title: Type.String() }), {
    relations: { members: { type: 'hasMany', model: 'Member' } }
  }),
  Fare: defineModel(
    'Fare',
    Type.Object({ zone: Type.String({ id: true }), year: Type.Integer({ id: true, generated: false }) })
  ),
  Guest: defineModel('Guest', Type.Object({ note: Type.Optional(Type.String()) })),
  Booking: defineModel(
    'Booking',
    Type.Object({
      startsAt: Type.Date(),
      paidAt: Type.Optional(Type.Date()),
      price: Type.Number(),
      note: Type.String()
    }),
    {
      relations: {
        court: { type: 'belongsTo', model: 'Court' },
        guests: { type: 'hasMany', model: 'Member', through: 'Guest' }
      }
    }
  )
}
type Models = ModelsOf<typeof models>

export async function wholeIds({ Fare }: Models): Promise<void> {
  await Fare.findById('A,2026')
  await Fare.exists({ zone: 'A', year: 2026 })
  // @ts-expect-error -- a part is missing
  await Fare.findById({ zone: 'A' })
  // @ts-expect-error -- a part has another type
  await Fare.deleteById({ zone: 'A', year: '2026' })
}

export async function ids({ Court, Member, Country, Booking }: Models, given: string, unknown: unknown): Promise<void> {
  const booking = await Booking.create({ startsAt: new Date(), price: 1, note: '' })
  await Court.findById(booking.courtId)
  await Court.findById('5', { include: 'bookings' })
  await Court.findById(given)
  await Court.exists(unknown)
  await Country.findById('SE')
  await booking.guests.findById('a')
  const member = await Member.create({ id: 'x', email: '', countryId: 'SE' })
  const key: string | null | undefined = member.countryId
  // @ts-expect-error 1: ids are numbers
  await Court.findById('one')
  // @ts-expect-error 2: ids are strings
  await Member.findById(5)
  // @ts-expect-error 3: the id has another name, and is a string
  await Country.findById(5)
  // @ts-expect-error 4: ids are numbers
  await Court.exists('one')
  // @ts-expect-error 5: ids are numbers
  await Court.destroyById(true)
  // @ts-expect-error 6: ids are strings
  await Member.deleteById(booking.id)
  // @ts-expect-error 7: ids are strings
  await Member.replaceById(7, { email: '' })
  // @ts-expect-error 8: a record is no id
  await Court.findById(booking)
  // @ts-expect-error 9: ids are strings
  await booking.guests.findById(booking.id)
  // @ts-expect-error 10: ids are strings
  await booking.guests.destroy(3)
  // @ts-expect-error 11: a key is a number
  await Booking.create({ startsAt: new Date(), price: 1, note: '', courtId: 'one' })
  // @ts-expect-error 12: the key of a country is a string
  await Member.create({ email: '', countryId: 5 })
  void key
}

export async function members({ Court, Booking }: Models): Promise<void> {
  const booking = await Booking.create({ startsAt: new Date(), price: 1, note: '' })
  const [guest] = await booking.guests.find()
  const email: string | undefined = guest?.email
  // @ts-expect-error 13: no such property of a guest
  void guest?.emial
  // @ts-expect-error 14: no such property in a condition
  await booking.guests.find({ where: { emial: 'x' } })
  // @ts-expect-error 15: no such property in an order
  await booking.guests({ order: 'emial' })
  // @ts-expect-error 16: no such property of a new record
  await booking.guests.create({ emial: 'x' })
  // @ts-expect-error 17: one record has no list
  await booking.court.find()
  // @ts-expect-error 18: several records are no one
  await booking.guests.get()
  // @ts-expect-error 19: no such relation
  await booking.gests.find()
  // @ts-expect-error 20: no such method
  await Court.findd()
  // @ts-expect-error 21: no such property
  await booking.updateAttribute('prise', 2)
  // @ts-expect-error 22: another type
  await booking.updateAttribute('price', 'x')
  // @ts-expect-error 23: no such property
  await booking.court.update({ nam: 'x' })
  // @ts-expect-error 24: no such property
  await booking.guests.count({ emial: 'x' })
  void email
}

export function observers({ Booking }: Models, name: string): void {
  Booking.observe('slot freed', (context) => context['slot'])
  Booking.observe('uploaded', (context) => context['file'])
  Booking.observe(name, (context) => context['slot'])
  // @ts-expect-error 25: misspelt
  Booking.observe('befor save', () => {})
  // @ts-expect-error 26: misspelt
  Booking.observe('before svae', () => {})
  // @ts-expect-error 27: misspelt
  Booking.observe('beforeSave', () => {})
  // @ts-expect-error 28: misspelt
  Booking.observe('after deletee', () => {})
  // @ts-expect-error 29: misspelt
  Booking.observe('acess', () => {})
  // @ts-expect-error 30: misspelt
  Booking.observe('Before Save', () => {})
  // @ts-expect-error 31: misspelt
  Booking.removeObserver('laoded', () => {})
  // @ts-expect-error 32: no such property
  Booking.observe('after save', ({ instance }) => instance?.prise)
  // @ts-expect-error 33: no such part of a context
  Booking.observe('before save', ({ instanse }) => instanse)
  // @ts-expect-error 34: no such property of the query
  Booking.observe('access', ({ query }) => query?.where?.prise)
}

const schema = Type.Object({ startsAt: Type.Date(), price: Type.Number() })

export function settings(given: string): void {
  const relations = { court: { type: 'belongsTo', model: 'Court', foreignKey: 'place' } } as const
  defineModel('A', schema, { relations, indexes: { a: { keys: { place: 1, startsAt: -1, memberId: 1, id: 1 } } } })
  defineModel('A', schema, { mixins: { TimeStamp: { createdAt: 'made' } }, indexes: { a: { keys: ['made', given] } } })
  defineModel('A', schema, { base: 'B', indexes: { a: { inherited: 1 } }, aggregate: { properties: ['inherited'] } })
  defineModel('A', schema, { aggregate: { properties: ['price'], limit: 5 }, indexes: { a: { columns: 'starts_at' } } })
  // @ts-expect-error 35: no such property
  defineModel('A', schema, { indexes: { a: { keys: { startAt: 1 } } } })
  // @ts-expect-error 36: no such property in a list
  defineModel('A', schema, { indexes: { a: { keys: ['price', 'startAt'] } } })
  // @ts-expect-error 37: no such property in the short form
  defineModel('A', schema, { indexes: { a: { startAt: 1 } } })
  // @ts-expect-error 38: no such property in the second index
  defineModel('A', schema, { indexes: { a: { keys: { price: 1 } }, b: { keys: { prise: 1 }, unique: true } } })
  // @ts-expect-error 39: no such property
  defineModel('A', schema, { aggregate: { properties: ['prise'] } })
  // @ts-expect-error 40: no such property beside one
  defineModel('A', schema, { aggregate: { properties: ['price', 'startAt'] } })
  // @ts-expect-error 41: no such limit
  defineModel('A', schema, { aggregate: { maxLimits: 5 } })
}

export async function aggregates({ Booking }: Models, given: string): Promise<void> {
  const group = { yearMonth: 'paidAt' } as const
  const [row] = await Booking.aggregate({
    group,
    sum: { paid: 'price' },
    having: { paid: { gt: 1 } },
    order: 'paid DESC'
  })
  const month: string | null | undefined = row?.yearMonth_paidAt
  await Booking.aggregate({ count: true, order: given })
  // @ts-expect-error 42: no such property
  await Booking.aggregate({ sum: 'prise' })
  // @ts-expect-error 43: strings of no numbers have no average that is a date
  await Booking.aggregate({ avg: 'startsAt' })
  // @ts-expect-error 44: a part of a property that is no date
  await Booking.aggregate({ group: { yearMonth: 'price' }, count: true })
  // @ts-expect-error 45: no such part of a date
  await Booking.aggregate({ group: { yearmonth: 'paidAt' }, count: true })
  // @ts-expect-error 46: no such part of a request
  await Booking.aggregate({ groups: ['price'], count: true })
  // @ts-expect-error 47: no such value of the result
  await Booking.aggregate({ sum: 'price', order: 'sum_prise' })
  // @ts-expect-error 48: no such value of the result
  await Booking.aggregate({ group, sum: { paid: 'price' }, having: { payed: { gt: 1 } } })
  // @ts-expect-error 49: no such direction
  await Booking.aggregate({ group: ['price'], order: ['price DOWN'] })
  // @ts-expect-error 50: no such value of a row
  void row?.sum_price
  void month
}

export async function orders({ Booking, Court }: Models): Promise<void> {
  await Booking.find({ order: ['startsAt DESC', 'court.name'], include: { court: 'bookings' } })
  // @ts-expect-error 51: no such property
  await Booking.find({ order: 'startAt' })
  // @ts-expect-error 52: no such direction
  await Booking.find({ order: 'startsAt DOWN' })
  // @ts-expect-error 53: no such property in a list
  await Booking.find({ order: ['price', 'startAt DESC'] })
  // @ts-expect-error 54: no such property of a relation
  await Booking.find({ order: 'court.nam' })
  // @ts-expect-error 55: no such property in an include
  await Court.find({ include: { relation: 'bookings', scope: { order: 'startAt' } } })
}

export async function includes({ Booking, Court }: Models): Promise<void> {
  // @ts-expect-error 56: no such relation
  await Booking.find({ include: 'curt' })
  // @ts-expect-error 57: no such relation in a list
  await Booking.find({ include: ['court', 'gests'] })
  // @ts-expect-error 58: no such relation below
  await Court.find({ include: { bookings: 'curt' } })
  // @ts-expect-error 59: no such relation beside one
  await Court.find({ include: { bookings: 'court', courts: 'bookings' } })
  // @ts-expect-error 60: no such property of included records
  await Court.find({ include: { relation: 'bookings', scope: { fields: ['prise'] } } })
  const [court] = await Court.find({ include: 'bookings' })
  // @ts-expect-error 61: no such property of an included record
  void court?.toJSON().bookings[0]?.prise
  const [plain] = await Court.find()
  // @ts-expect-error 62: nothing was included
  void plain?.toJSON().bookings
}
