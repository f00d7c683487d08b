--
-- PostgreSQL database dump
--

\restrict e4bRdxpCDbZ3gLHGiUsOtVaZIfz5bnqp7dbwMGpAFqgsvrlSys7BDaTUnAbB3DC

-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accesstoken; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accesstoken (
    id text NOT NULL,
    ttl integer DEFAULT 1209600,
    scopes text,
    created timestamp with time zone,
    userid integer
);


--
-- Name: acl; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.acl (
    model text,
    property text,
    accesstype text,
    permission text,
    principaltype text,
    principalid text,
    id integer NOT NULL
);


--
-- Name: acl_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.acl_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: acl_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.acl_id_seq OWNED BY public.acl.id;


--
-- Name: author; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.author (
    name text NOT NULL,
    bornon timestamp with time zone,
    address text,
    id integer NOT NULL
);


--
-- Name: author_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.author_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: author_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.author_id_seq OWNED BY public.author.id;


--
-- Name: customer; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.customer (
    nickname text,
    realm text,
    username text,
    password text NOT NULL,
    email text NOT NULL,
    emailverified boolean,
    verificationtoken text,
    id integer NOT NULL
);


--
-- Name: customer_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.customer_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: customer_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.customer_id_seq OWNED BY public.customer.id;


--
-- Name: note; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.note (
    id text NOT NULL,
    title text,
    done boolean DEFAULT false,
    created timestamp with time zone
);


--
-- Name: role; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.role (
    id integer NOT NULL,
    name text NOT NULL,
    description text,
    created timestamp with time zone,
    modified timestamp with time zone
);


--
-- Name: role_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.role_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: role_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.role_id_seq OWNED BY public.role.id;


--
-- Name: rolemapping; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rolemapping (
    id integer NOT NULL,
    principaltype text,
    principalid text,
    roleid integer
);


--
-- Name: rolemapping_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.rolemapping_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: rolemapping_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.rolemapping_id_seq OWNED BY public.rolemapping.id;


--
-- Name: sample; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sample (
    text text,
    short text,
    whole integer,
    fraction double precision,
    yes boolean,
    at timestamp with time zone,
    list text,
    object text,
    anything text,
    place point,
    id integer NOT NULL
);


--
-- Name: sample_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.sample_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: sample_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.sample_id_seq OWNED BY public.sample.id;


--
-- Name: shelf; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shelf (
    room text,
    id integer NOT NULL
);


--
-- Name: shelf_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.shelf_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: shelf_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.shelf_id_seq OWNED BY public.shelf.id;


--
-- Name: shelfbook; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shelfbook (
    id integer NOT NULL,
    shelfid integer,
    bookid text
);


--
-- Name: shelfbook_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.shelfbook_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: shelfbook_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.shelfbook_id_seq OWNED BY public.shelfbook.id;


--
-- Name: tbl_books; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tbl_books (
    isbn text NOT NULL,
    the_title text,
    pages integer,
    price numeric(10,2),
    keywords text,
    authorid integer
);


--
-- Name: user; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public."user" (
    realm text,
    username text,
    password text NOT NULL,
    email text NOT NULL,
    emailverified boolean,
    verificationtoken text,
    id integer NOT NULL
);


--
-- Name: user_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.user_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: user_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.user_id_seq OWNED BY public."user".id;


--
-- Name: acl id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acl ALTER COLUMN id SET DEFAULT nextval('public.acl_id_seq'::regclass);


--
-- Name: author id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.author ALTER COLUMN id SET DEFAULT nextval('public.author_id_seq'::regclass);


--
-- Name: customer id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.customer ALTER COLUMN id SET DEFAULT nextval('public.customer_id_seq'::regclass);


--
-- Name: role id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.role ALTER COLUMN id SET DEFAULT nextval('public.role_id_seq'::regclass);


--
-- Name: rolemapping id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rolemapping ALTER COLUMN id SET DEFAULT nextval('public.rolemapping_id_seq'::regclass);


--
-- Name: sample id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sample ALTER COLUMN id SET DEFAULT nextval('public.sample_id_seq'::regclass);


--
-- Name: shelf id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shelf ALTER COLUMN id SET DEFAULT nextval('public.shelf_id_seq'::regclass);


--
-- Name: shelfbook id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shelfbook ALTER COLUMN id SET DEFAULT nextval('public.shelfbook_id_seq'::regclass);


--
-- Name: user id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."user" ALTER COLUMN id SET DEFAULT nextval('public.user_id_seq'::regclass);


--
-- Data for Name: accesstoken; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accesstoken VALUES ('frmx1hD16FhlqAnaXmBhTSzapTTinmYnoqVmTxkDT1k0ONHD6CciXUebk97M6BdO', 2000000000, NULL, '2026-11-21 16:38:21.437+00', 1);


--
-- Data for Name: acl; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: author; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.author VALUES ('Ada', '1815-12-10 00:00:00+00', '{"city":"London","tags":["a","b"]}', 1);
INSERT INTO public.author VALUES ('Bo ü€', '2024-07-01 12:34:56.789+00', NULL, 2);


--
-- Data for Name: customer; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.customer VALUES ('Ann', NULL, NULL, '$2a$10$zbm0NNo53E.ku.hG2yQHD.ZS9rVrlE2vAZYaMMU.IwfaUaM1Gl2Mi', 'ann@example.com', NULL, NULL, 1);
INSERT INTO public.customer VALUES (NULL, NULL, 'bob', '$2a$10$oxsOyYmRaMCg5xyYBAc6u.OY.ZpkJx.a0TEHC3p9spnngIiIb8MO6', 'bob@example.com', NULL, NULL, 2);


--
-- Data for Name: note; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.note VALUES ('n-1', 'first', false, '2021-05-05 05:05:05+00');
INSERT INTO public.note VALUES ('n-2', 'second', true, '2021-06-06 06:06:06.6+00');


--
-- Data for Name: role; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: rolemapping; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sample; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sample VALUES ('it''s "quoted" \ 100%', 'abc', 42, 0.1, true, '2020-02-29 23:59:59.999+00', '[1,2.5,3]', '{"a":{"b":[1,null,"x"]},"when":"2020-01-01T00:00:00.000Z"}', '"some text"', '(16.37,48.2)', 1);
INSERT INTO public.sample VALUES ('', NULL, -1, -2.5, false, NULL, '[]', '{}', NULL, NULL, 2);
INSERT INTO public.sample VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3);


--
-- Data for Name: shelf; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.shelf VALUES ('north', 1);
INSERT INTO public.shelf VALUES ('south', 2);


--
-- Data for Name: shelfbook; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.shelfbook VALUES (1, 1, '978-1');
INSERT INTO public.shelfbook VALUES (2, 1, '978-2');
INSERT INTO public.shelfbook VALUES (3, 2, '978-1');


--
-- Data for Name: tbl_books; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.tbl_books VALUES ('978-1', 'On engines', 120, 12.50, '["x","y"]', 1);
INSERT INTO public.tbl_books VALUES ('978-2', 'Notes', NULL, NULL, NULL, 1);
INSERT INTO public.tbl_books VALUES ('978-3', 'A third', 7, 0.10, NULL, 2);


--
-- Data for Name: user; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Name: acl_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.acl_id_seq', 1, false);


--
-- Name: author_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.author_id_seq', 2, true);


--
-- Name: customer_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.customer_id_seq', 2, true);


--
-- Name: role_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.role_id_seq', 1, false);


--
-- Name: rolemapping_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rolemapping_id_seq', 1, false);


--
-- Name: sample_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.sample_id_seq', 3, true);


--
-- Name: shelf_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.shelf_id_seq', 2, true);


--
-- Name: shelfbook_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.shelfbook_id_seq', 3, true);


--
-- Name: user_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.user_id_seq', 1, false);


--
-- Name: accesstoken accesstoken_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accesstoken
    ADD CONSTRAINT accesstoken_pkey PRIMARY KEY (id);


--
-- Name: acl acl_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acl
    ADD CONSTRAINT acl_pkey PRIMARY KEY (id);


--
-- Name: author author_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.author
    ADD CONSTRAINT author_pkey PRIMARY KEY (id);


--
-- Name: customer customer_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.customer
    ADD CONSTRAINT customer_pkey PRIMARY KEY (id);


--
-- Name: note note_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.note
    ADD CONSTRAINT note_pkey PRIMARY KEY (id);


--
-- Name: role role_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (id);


--
-- Name: rolemapping rolemapping_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rolemapping
    ADD CONSTRAINT rolemapping_pkey PRIMARY KEY (id);


--
-- Name: sample sample_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sample
    ADD CONSTRAINT sample_pkey PRIMARY KEY (id);


--
-- Name: shelf shelf_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shelf
    ADD CONSTRAINT shelf_pkey PRIMARY KEY (id);


--
-- Name: shelfbook shelfbook_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shelfbook
    ADD CONSTRAINT shelfbook_pkey PRIMARY KEY (id);


--
-- Name: tbl_books tbl_books_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tbl_books
    ADD CONSTRAINT tbl_books_pkey PRIMARY KEY (isbn);


--
-- Name: user user_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);


--
-- Name: rolemapping_principalid_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rolemapping_principalid_idx ON public.rolemapping USING btree (principalid);


--
-- Name: tbl_books_the_title_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tbl_books_the_title_idx ON public.tbl_books USING btree (the_title);


--
-- PostgreSQL database dump complete
--

\unrestrict e4bRdxpCDbZ3gLHGiUsOtVaZIfz5bnqp7dbwMGpAFqgsvrlSys7BDaTUnAbB3DC

