import type { PropertyType } from '../types/property-type.ts'
import { compileProperty } from '../types/compile-type.ts'

/** The default id property of a model that declares none. */
export const injectedId = (model: string): PropertyType =>
  compileProperty('id', { type: 'number', id: 1, generated: true }, { model, key: 'properties.id', dottedNames: false })
