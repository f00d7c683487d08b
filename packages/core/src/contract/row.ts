/**
 * A stored record: a plain object with every declared property of the model as an own key in declared order (undefined
 * where it has no value), then undeclared ones.
 */
export type Row = Record<string, unknown>
/** The id of a record in the type that its property declares: a database may have objects of its own. */
export type Id = string | number | Date | Buffer | object
