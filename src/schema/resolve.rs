//! Where a local `$ref` leads: pointers, anchors and embedded `$id`s of one document. Nothing is ever fetched.

use super::dialect::Dialect;
use super::keyword::subschemas;
use serde_json::Value;
use std::collections::HashMap;

/// One schema document and its resources.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) dialect: Dialect,
    resources: Vec<Resource<'a>>,
    by_id: HashMap<String, usize>,
    /// Which resource starts at a value, by its address.
    starts: HashMap<*const Value, usize>,
}

#[derive(Debug)]
struct Resource<'a> {
    root: &'a Value,
    id: String,
    anchors: HashMap<&'a str, &'a Value>,
    /// `$dynamicAnchor`, or `$recursiveAnchor` under the empty name.
    dynamic: Vec<&'a str>,
}

/// A place in a document: a schema and the resource it stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located<'a> {
    pub(super) schema: &'a Value,
    pub(super) resource: usize,
}

impl Located<'_> {
    /// What tells two places apart.
    pub(super) fn address(&self) -> (*const Value, usize) {
        (std::ptr::from_ref(self.schema), self.resource)
    }
}

impl<'a> Document<'a> {
    /// Reads the resources and anchors of a document.
    pub(super) fn new(root: &'a Value, dialect: Dialect) -> Self {
        let mut document = Self { dialect, resources: Vec::new(), by_id: HashMap::new(), starts: HashMap::new() };
        let root_id = document.own_id(root).unwrap_or_default();
        document.start(root, root_id);
        let mut open = vec![(root, 0_usize)];
        while let Some((schema, resource)) = open.pop() {
            let mut resource = resource;
            if !std::ptr::eq(schema, root)
                && let Some(id) = document.own_id(schema)
            {
                let base = document.resources.get(resource).map(|one| one.id.clone()).unwrap_or_default();
                resource = document.start(schema, join(&base, &id).unwrap_or(id));
            }
            document.note_anchors(schema, resource);
            open.extend(subschemas(schema).into_iter().map(|(_, inner)| (inner, resource)));
        }
        document
    }

    fn start(&mut self, root: &'a Value, id: String) -> usize {
        let place = self.resources.len();
        self.starts.insert(std::ptr::from_ref(root), place);
        if !id.is_empty() {
            self.by_id.entry(id.clone()).or_insert(place);
        }
        self.resources.push(Resource { root, id, anchors: HashMap::new(), dynamic: Vec::new() });
        place
    }

    /// The `$id` of a schema that starts a resource, without its empty fragment.
    fn own_id(&self, schema: &Value) -> Option<String> {
        if self.dialect <= Dialect::Draft07 && schema.get("$ref").is_some() {
            return None;
        }
        let id = schema.get(self.dialect.id_keyword())?.as_str()?;
        let id = id.strip_suffix('#').unwrap_or(id);
        (!id.is_empty() && !id.starts_with('#')).then(|| id.to_owned())
    }

    fn note_anchors(&mut self, schema: &'a Value, resource: usize) {
        let old = self.dialect <= Dialect::Draft07;
        let id_keyword = self.dialect.id_keyword();
        let Some(resource) = self.resources.get_mut(resource) else { return };
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        if old {
            if let Some(anchor) = text(id_keyword).and_then(|id| id.strip_prefix('#')) {
                resource.anchors.entry(anchor).or_insert(schema);
            }
            return;
        }
        for anchor in [text("$anchor"), text("$dynamicAnchor")].into_iter().flatten() {
            resource.anchors.entry(anchor).or_insert(schema);
        }
        resource.dynamic.extend(text("$dynamicAnchor"));
        if schema.get("$recursiveAnchor") == Some(&Value::Bool(true)) {
            resource.dynamic.push("");
        }
    }

    /// The whole document.
    pub(super) fn root(&self) -> Option<Located<'a>> {
        self.resources.first().map(|resource| Located { schema: resource.root, resource: 0 })
    }

    /// `schema`, a subschema of `from`, with the resource that it starts itself.
    pub(super) fn enter<'b>(&self, from: Located<'_>, schema: &'b Value) -> Located<'b> {
        let resource = self.starts.get(&std::ptr::from_ref(schema)).copied().unwrap_or(from.resource);
        Located { schema, resource }
    }

    /// Whether this document has dynamic anchors, so that `$dynamicRef` and `$recursiveRef` may lead elsewhere at each use.
    pub(super) fn is_dynamic(&self) -> bool {
        self.resources.iter().map(|resource| resource.dynamic.len()).sum::<usize>() > 0 && self.resources.len() > 1
    }

    /// Whether `reference` names a resource of this document by its `$id`.
    pub(super) fn knows(&self, from: Located<'_>, reference: &str) -> bool {
        let location = reference.split_once('#').map_or(reference, |(location, _)| location);
        let base = self.resources.get(from.resource).map(|one| one.id.as_str()).unwrap_or_default();
        join(base, location).is_some_and(|absolute| self.by_id.contains_key(&absolute))
    }

    /// Where `reference` leads from `from`; an error says why nowhere here.
    pub(super) fn follow(&self, from: Located<'_>, reference: &str) -> Result<Located<'a>, String> {
        let (location, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let missing = || format!("`{reference}` is not in this schema");
        let resource = if location.is_empty() {
            from.resource
        } else {
            let base = self.resources.get(from.resource).map(|one| one.id.as_str()).unwrap_or_default();
            let absolute = join(base, location).ok_or_else(missing)?;
            match self.by_id.get(absolute.strip_suffix('#').unwrap_or(&absolute)) {
                Some(place) => *place,
                None => return Err(format!("`{reference}` is another document, and none is ever fetched")),
            }
        };
        let start = self.resources.get(resource).ok_or_else(missing)?;
        let fragment = percent_decoded(fragment).ok_or_else(missing)?;
        if fragment.is_empty() {
            return Ok(Located { schema: start.root, resource });
        }
        let Some(tokens) = fragment.strip_prefix('/') else {
            let schema = start.anchors.get(fragment.as_str()).ok_or_else(missing)?;
            return Ok(Located { schema, resource });
        };
        let mut place = Located { schema: start.root, resource };
        for token in tokens.split('/') {
            let token = token.replace("~1", "/").replace("~0", "~");
            let next = match place.schema {
                Value::Object(members) => members.get(&token),
                Value::Array(items) => token.parse().ok().and_then(|index: usize| items.get(index)),
                _ => None,
            };
            place = self.enter(place, next.ok_or_else(missing)?);
        }
        Ok(place)
    }
}

/// `reference` made absolute against `base`; none where that needs more of RFC 3986 than is done here.
fn join(base: &str, reference: &str) -> Option<String> {
    if reference.contains("://") || reference.starts_with("urn:") || base.is_empty() {
        return Some(reference.to_owned());
    }
    if reference.split('/').any(|part| part == "." || part == "..") || reference.starts_with("//") {
        return None;
    }
    let authority = base.find("://").map_or(0, |at| at + 3);
    let path = base[authority..].find('/').map_or(base.len(), |at| authority + at);
    if reference.starts_with('/') {
        return Some(format!("{}{reference}", &base[..path]));
    }
    if base.starts_with("urn:") {
        return None;
    }
    let folder = base[path..].rfind('/').map_or(base.len(), |at| path + at);
    Some(format!("{}/{reference}", &base[..folder]))
}

fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let pair = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
