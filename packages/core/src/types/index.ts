export { compileCoercion } from './coerce-value.ts'
export { compileType } from './compile-type.ts'
export { isReadOnly, type PropertyType } from './property-type.ts'
export type { ScalarKind, ValueType } from './value-type.ts'
