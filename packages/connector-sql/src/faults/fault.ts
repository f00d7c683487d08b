/**
 * What went wrong in the database. `lost`: the connection broke, or none could be made. `timeout`: the statement took too
 * long. `full`: there is no room for what it writes. `conflict`: another transaction was in the way, trying again may help.
 * `missing`: there is no such table or column.
 */
export type Fault =
  | { readonly kind: 'duplicate'; readonly constraint: string | undefined }
  | { readonly kind: 'constraint'; readonly constraint: string | undefined }
  | { readonly kind: 'value' | 'lost' | 'timeout' | 'full' | 'conflict' | 'missing' | 'pattern' }
