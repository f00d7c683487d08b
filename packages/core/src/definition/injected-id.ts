import type { PropertyType } from '../model/property-type.ts'
import { compileProperty } from '../values/compile-type.ts'

/** The id that a model gets when it declares none. */
export const injectedId = (model: string): PropertyType =>
  compileProperty('id', { type: 'number', id: 1, generated: true }, { model, key: 'properties.id', dottedNames: false })
