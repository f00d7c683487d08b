import {
  BooleanField,
  DataTable,
  List,
  NumberField,
  NumberInput,
  Pagination,
  ReferenceField,
  ReferenceInput,
  SearchInput
} from 'react-admin'

const filters = [
  <SearchInput source="q" alwaysOn key="q" />,
  <ReferenceInput source="categoryId" reference="Categories" key="category" />,
  <NumberInput source="price_gte" label="Price from" key="price" />
]

/** All products, page by page. */
export const ProductList = () => (
  <List filters={filters} perPage={5} pagination={<Pagination rowsPerPageOptions={[5, 10, 25]} />} exporter={false}>
    <DataTable>
      <DataTable.Col source="sku" label="Number" />
      <DataTable.Col source="name" />
      <DataTable.Col source="categoryId" label="Category">
        <ReferenceField source="categoryId" reference="Categories" link={false} />
      </DataTable.Col>
      <DataTable.Col source="price" align="right">
        <NumberField source="price" options={{ style: 'currency', currency: 'EUR' }} />
      </DataTable.Col>
      <DataTable.Col source="inStock">
        <BooleanField source="inStock" />
      </DataTable.Col>
    </DataTable>
  </List>
)
