import { defineModel, type Model, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { toMany, toOne } from '#src/index.ts'

// This function is never called: its lines have to compile, or must not.

/** Models of typed helpers. */
export const models = {
  Court: defineModel('Court', Type.Object({ name: Type.String() })),
  Member: defineModel('Member', Type.Object({ email: Type.String() })),
  Booking: defineModel('Booking', Type.Object({ price: Type.Number() }), {
    relations: {
      court: { type: 'belongsTo', model: 'Court' },
      guests: { type: 'hasAndBelongsToMany', model: 'Member' }
    }
  })
}

export async function helpers(
  { Booking, Court, Member }: ModelsOf<typeof models>,
  any: Model,
  name: string
): Promise<void> {
  const booking = await Booking.create({ price: 1 })
  const [guest] = await toMany(booking, 'guests', Member).find()
  const court = await toOne(booking, 'court', Court)()
  const texts: (string | undefined)[] = [guest?.email, court?.name]
  const [given] = await toMany(any, name, Member)({ where: { email: 'x' } })
  // @ts-expect-error leads to another model
  toMany(booking, 'guests', Court)
  // @ts-expect-error no such relation
  toMany(booking, 'gests', Member)
  // @ts-expect-error leads to one record
  toMany(booking, 'court', Court)
  // @ts-expect-error leads to several records
  toOne(booking, 'guests', Member)
  // @ts-expect-error no such property
  void toMany(booking, 'guests', Member)({ where: { emial: 'x' } })
  void [texts, given?.email]
}
