/** The style sheet of the API page. */
export const style = `
:root {
  color-scheme: light dark;
  --quiet: light-dark(#5a5a66, #a4a4b2);
  --raised: light-dark(#f4f4f7, #1f1f26);
  --line: light-dark(#d9d9e0, #34343f);
  --link: light-dark(#1d4fd7, #8fb0ff);
}
body {
  margin: 0 auto;
  max-width: 75rem;
  padding: 1rem;
  font-family: system-ui, sans-serif;
  line-height: 1.5;
  overflow-wrap: anywhere;
}
a {
  color: var(--link);
}
h2 {
  margin: 2rem 0 0.25rem;
  text-transform: capitalize;
}
h4 {
  margin: 1rem 0 0.25rem;
}
p {
  margin: 0.25rem 0;
  max-width: 70ch;
}
section {
  margin: 1rem 0;
  padding: 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
section:target {
  border-color: var(--link);
}
pre {
  margin: 0.25rem 0;
  padding: 0.5rem;
  overflow: auto;
  max-height: 24rem;
  background: var(--raised);
}
dt {
  font-weight: 600;
}
dd {
  margin: 0 0 0.5rem 1rem;
}
nav ul {
  margin: 0;
  padding: 0;
  list-style: none;
}
nav li a {
  display: block;
  padding: 0.25rem 0;
}
.method {
  display: inline-block;
  min-width: 3.2em;
  font-weight: 700;
  text-transform: uppercase;
}
.access {
  color: var(--quiet);
}
@media (min-width: 60rem) {
  body {
    display: grid;
    grid-template-columns: 19rem minmax(0, 1fr);
    column-gap: 2.5rem;
  }
  header {
    grid-column: 1 / -1;
  }
  nav {
    position: sticky;
    top: 0;
    max-height: 100vh;
    overflow-y: auto;
  }
}
`
