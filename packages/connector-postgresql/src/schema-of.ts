/** The schema of tables where neither the data source nor the model names one. */
export const defaultSchema = 'public'

/** The schema that a table is in. */
export const schemaOf = ({ schema = defaultSchema }: { readonly schema?: string | undefined }): string => schema
