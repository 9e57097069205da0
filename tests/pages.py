"""Pages as a browser without scripts uses them: read, fill a form that is on the page, send it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from starlette.testclient import TestClient

Attributes = list[tuple[str, str | None]]


@dataclass
class Form:
    """A form of a page, with what its fields hold."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._select: tuple[str, list[tuple[str | None, bool]]] | None = None
        self._area: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        one = dict(attrs)
        if tag == "form":
            self._open = Form(one.get("action") or "", one.get("method") or "get")
            self.forms.append(self._open)
        elif self._open is None:
            return
        elif tag == "input" and one.get("name"):
            is_box = one.get("type") in ("checkbox", "radio")
            if one.get("type") != "file" and (not is_box or "checked" in one):
                self._put(one["name"] or "", one.get("value") or ("on" if is_box else ""))
        elif tag == "select":
            self._select = (one.get("name") or "", [])
        elif tag == "option" and self._select is not None:
            self._select[1].append((one.get("value"), "selected" in one))
            self._text = ""
        elif tag == "textarea":
            self._area, self._text = one.get("name") or "", ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "option" and self._select is not None:
            value, is_chosen = self._select[1][-1]
            self._select[1][-1] = (self._text.strip() if value is None else value, is_chosen)
        elif tag == "select" and self._select is not None and self._open is not None:
            name, options = self._select
            chosen = [value for value, is_it in options if is_it] or [value for value, _ in options[:1]]
            if chosen:
                self._put(name, chosen[0] or "")
            self._select = None
        elif tag == "textarea" and self._area is not None:
            self._put(self._area, self._text)
            self._area = None

    def _put(self, name: str, value: str) -> None:
        assert self._open is not None
        self._open.fields.setdefault(name, []).append(value)


def forms_of(html: str) -> list[Form]:
    read = _Forms()
    read.feed(html)
    return read.forms


def form_of(html: str, action: str, **having: str) -> Form:
    """The first form that sends to this address, and has these fields."""
    found = [
        one
        for one in forms_of(html)
        if (one.action, one.method) == (action, "post")
        and all(one.fields.get(name) == [value] for name, value in having.items())
    ]
    assert found, f"no form {action} among {[one.action for one in forms_of(html)]}"
    return found[0]


def fill(form: Form, fields: dict[str, Any]) -> dict[str, Any]:
    """What is sent: the form's own values, with those typed in; None clears a box."""
    sent: dict[str, Any] = dict(form.fields)
    for name, value in fields.items():
        if value is None:
            sent.pop(name, None)
        else:
            sent[name] = value
    return sent


def submit(http: TestClient, path: str, action: str, /, files: Any = None, **fields: Any) -> Any:
    """Opens a page, fills the form on it that has this action, and sends it; the answer is not followed."""
    page = http.get(path)
    assert page.status_code == 200, (path, page.status_code)
    named = {name.replace("__", "."): value for name, value in fields.items()}
    return http.post(action, data=fill(form_of(page.text, action), named), files=files, follow_redirects=False)
