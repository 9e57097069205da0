"""The game manager: every page of it, by topic."""

from __future__ import annotations

from fastapi import APIRouter

from croupier.web.pages import (
    manager_audit,
    manager_by_hand,
    manager_claims,
    manager_floor,
    manager_meters,
    manager_people,
    manager_reports,
    manager_setup,
)
from croupier.web.pages.frame import PageRoute

router = APIRouter(route_class=PageRoute)
for topic in (
    manager_floor,
    manager_claims,
    manager_by_hand,
    manager_meters,
    manager_reports,
    manager_setup,
    manager_people,
    manager_audit,
):
    router.routes.extend(topic.router.routes)
